import ArgumentParser
import Assets
import Dashboard

/// The man page in roff, generated from the commands with their help, and from the tables of timers and keys. What carillon is
/// comes first, and the keys, which are the longest part, come last.
struct ManualPage {
  var text: String {
    var page = Roff()
    let help = Carillon.configuration
    page.macro("TH CARILLON 1 \"\" \"\(help.version)\"")
    page.macro("SH NAME")
    let about = help.abstract.hasSuffix(".") ? help.abstract.dropLast() : help.abstract[...]
    page.line("carillon - \(about.lowercasedFirst)")
    page.macro("SH SYNOPSIS")
    page.verbatim(help.usage ?? "")
    let commands = help.subcommands.map { (type: $0, help: $0.configuration) }
      .filter(\.help.shouldDisplay)
    let manual = Manual()
    page.macro("SH DESCRIPTION")
    page.prose(
      help.discussion.split(separator: "\n").filter { !Self.isExample($0) }
        .joined(separator: "\n\n"))
    page.macro("SH EXAMPLES")
    page.verbatim(examples(of: commands.map(\.help)).joined(separator: "\n"))
    page.macro("SH OPTIONS")
    page.entries(arguments(of: DashboardCommand.self))
    page.macro("SH TIMERS")
    page.entries(manual.grammar.entries)
    for (type, command) in commands {
      page.macro("SH CARILLON \((command.commandName ?? "").uppercased())")
      page.line(command.abstract)
      page.macro("PP")
      page.verbatim(command.usage ?? "")
      page.macro("PP")
      page.prose(command.discussion)
      // Every command has these.
      page.entries(arguments(of: type).filter { !["--version", "-h, --help"].contains($0.term) })
    }
    page.add(Assets.manual)
    page.macro("SH KEYS")
    for section in manual.keys {
      page.macro("SS \(section.heading)")
      page.entries(section.entries)
    }
    return page.text
  }

  private static func isExample(_ line: some StringProtocol) -> Bool { line.hasPrefix("  ") }

  /// Returns the examples of the board, and one of each command, which has the others.
  private func examples(of commands: [CommandConfiguration]) -> [String] {
    let board = Carillon.configuration.discussion.split(separator: "\n").filter(Self.isExample)
      .map(String.init)
    return board
      + commands.map { command in
        let line = "  carillon \(command.commandName ?? "")"
        let example =
          command.discussion.split(separator: "\n")
          .first { $0 == line || $0.hasPrefix("\(line) ") }.map(String.init) ?? line
        let text = example.prefix(
          upTo: example.dropFirst(2).firstRange(of: "  ")?.lowerBound ?? example.endIndex)
        let meaning = example.dropFirst(text.count).drop { $0 == " " }
        let abstract = command.abstract.dropLast().description.lowercasedFirst
        let padding = String(repeating: " ", count: max(2, 42 - text.count))
        return text + padding + (meaning.isEmpty ? abstract : String(meaning))
      }
  }

  /// Returns the arguments and options of a command as the parser's help has them: a line each, with two blanks or more
  /// after the label.
  private func arguments(of command: any ParsableCommand.Type) -> [(term: String, meaning: String)]
  {
    let help = Carillon.helpMessage(for: command, columns: 1000).split(separator: "\n")
    return help.drop { $0 != "ARGUMENTS:" && $0 != "OPTIONS:" }.prefix { $0 != "SUBCOMMANDS:" }
      .filter { $0.hasPrefix("  ") }.map { line in
        let line = line.dropFirst(2)
        let label = line.prefix(upTo: line.firstRange(of: "  ")?.lowerBound ?? line.endIndex)
        let meaning = line.dropFirst(label.count).drop { $0 == " " }
        return (String(label), String(meaning))
      }
  }
}

/// A page in roff.
private struct Roff {
  private(set) var text = ""

  /// Adds text that is roff.
  mutating func add(_ roff: String) {
    text += roff
  }

  mutating func macro(_ text: String) {
    self.text += ".\(text)\n"
  }

  mutating func line(_ text: some StringProtocol) {
    self.text += Self.escaped(text) + "\n"
  }

  /// Adds preformatted lines.
  mutating func verbatim(_ lines: String) {
    macro("nf")
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false) { self.line(line) }
    macro("fi")
  }

  /// Adds paragraphs. Lines that begin with two spaces are preformatted examples.
  mutating func prose(_ lines: String) {
    var isExample = false
    for line in lines.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("  ") != isExample {
        isExample.toggle()
        macro(isExample ? "nf" : "fi")
      }
      if line.isEmpty { macro("PP") } else { self.line(line) }
    }
    if isExample { macro("fi") }
  }

  mutating func entries(_ entries: [(term: String, meaning: String)]) {
    for entry in entries {
      macro("TP")
      macro("B \(Self.escaped(entry.term).replacing("\"", with: "\\(dq"))")
      line(entry.meaning)
    }
  }

  private static func escaped(_ text: some StringProtocol) -> String {
    let escaped = String(text).replacing("\\", with: "\\e").replacing("-", with: "\\-")
    // At the start of a line, these characters would begin a macro.
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}
