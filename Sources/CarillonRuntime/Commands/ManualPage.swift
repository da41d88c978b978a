import Assets
import Dashboard
import Platform

/// The man page in roff, generated from the data of the argument parser and from the tables of timers and keys.
package struct ManualPage {
  private let root: CommandHelp
  private let usage: [String: String]
  private let version: String

  /// - Parameters:
  ///   - help: The output of `--experimental-dump-help`.
  ///   - usage: The usage of each command, by its name.
  package init(help: String, usage: [String: String], version: String) throws {
    root = try JSONDecoder().decode(ToolHelp.self, from: Data(help.utf8)).command
    self.usage = usage
    self.version = version
  }

  package var text: String {
    var page = Roff()
    page.macro("TH CARILLON 1 \"\" \"carillon \(version)\"")
    page.macro("SH NAME")
    let about = (root.abstract ?? "").trimmingSuffix(".")
    page.line("carillon - \(about.lowercasedFirst)")
    page.macro("SH SYNOPSIS")
    page.verbatim(usage[root.commandName] ?? "")
    page.macro("SH DESCRIPTION")
    page.prose(root.discussion ?? "")
    page.macro("SH OPTIONS")
    let defaultCommand = root.subcommands?.first { $0.commandName == root.defaultSubcommand }
    page.arguments(defaultCommand?.arguments ?? [])
    for command in root.subcommands ?? [] where command.shouldDisplay {
      guard command.commandName != "help" else { continue }
      page.macro("SH CARILLON \(command.commandName.uppercased())")
      page.line(command.abstract ?? "")
      page.macro("PP")
      page.verbatim(usage[command.commandName] ?? "")
      page.macro("PP")
      page.prose(command.discussion ?? "")
      page.arguments((command.arguments ?? []).filter { !$0.isCommon })
    }
    let manual = Manual()
    page.macro("SH TIMERS")
    page.entries(manual.grammar)
    page.macro("SH KEYS")
    for section in manual.keys {
      page.macro("SS \(section.heading)")
      page.entries(section)
    }
    return page.text + Assets.manual
  }
}

/// The part of the output of `--experimental-dump-help` that the page needs.
private struct ToolHelp: Decodable {
  var command: CommandHelp
}

private struct CommandHelp: Decodable {
  var commandName: String
  var abstract: String?
  var discussion: String?
  var shouldDisplay: Bool
  var defaultSubcommand: String?
  var subcommands: [CommandHelp]?
  var arguments: [ArgumentHelp]?
}

private struct ArgumentHelp: Decodable {
  struct Name: Decodable {
    var kind: String
    var name: String
  }

  var kind: String
  var shouldDisplay: Bool
  var names: [Name]?
  var valueName: String?
  var abstract: String?

  /// A Boolean value that indicates whether every command has the argument.
  var isCommon: Bool { valueName == "version" || valueName == "help" }

  /// The label: `<timer>`, `-q, --quiet` or `--format <format>`.
  var label: String {
    let value = "<\(valueName ?? "")>"
    guard kind != "positional" else { return value }
    let names = (names ?? []).map { $0.kind == "short" ? "-\($0.name)" : "--\($0.name)" }
      .sorted { $0.count < $1.count }.joined(separator: ", ")
    return kind == "option" ? "\(names) \(value)" : names
  }
}

/// A page in roff.
private struct Roff {
  private(set) var text = ""

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

  mutating func arguments(_ arguments: [ArgumentHelp]) {
    for argument in arguments where argument.shouldDisplay {
      entry(argument.label, argument.abstract ?? "")
    }
  }

  mutating func entries(_ section: Manual.Section) {
    for entry in section.entries { self.entry(entry.term, entry.meaning) }
  }

  private mutating func entry(_ term: String, _ meaning: String) {
    macro("TP")
    macro("B \(Self.escaped(term).replacing("\"", with: "\\(dq"))")
    line(meaning)
  }

  private static func escaped(_ text: some StringProtocol) -> String {
    let escaped = String(text).replacing("\\", with: "\\e").replacing("-", with: "\\-")
    // At the start of a line, these characters would begin a macro.
    return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
  }
}

extension String {
  fileprivate func trimmingSuffix(_ suffix: String) -> String {
    hasSuffix(suffix) ? String(dropLast(suffix.count)) : self
  }
}
