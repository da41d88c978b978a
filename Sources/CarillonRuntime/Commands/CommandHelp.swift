import ArgumentParser
import Assets

/// The help of all commands: the sections of `Assets/help.txt`.
enum CommandHelp {
  /// The names of the commands that the help describes.
  static var commandNames: [String] { sections.map(\.name) }

  fileprivate static let sections: [(name: String, lines: [String])] = {
    var sections: [(name: String, lines: [String])] = []
    // The bytes, because every start of the program needs the names.
    for line in Assets.help.utf8.split(separator: 0x0A, omittingEmptySubsequences: false) {
      if line.starts(with: "== ".utf8) {
        sections.append((String(Substring(line.dropFirst(3))), []))
      } else if let last = sections.indices.last {
        sections[last].lines.append(String(Substring(line)))
      }
    }
    // An empty line ends each section.
    return sections.map { ($0.name, $0.lines.dropLast()) }
  }()
}

extension CommandConfiguration {
  /// Creates the configuration of a command with its help: the purpose in a line, the usage, and the discussion.
  /// - Parameter inserted: The text for the braces in the discussion.
  init(
    _ name: String, inserting inserted: String? = nil, version: String = "",
    shouldDisplay: Bool = true, subcommands: [any ParsableCommand.Type] = [],
    defaultSubcommand: (any ParsableCommand.Type)? = nil
  ) {
    let lines = CommandHelp.sections.first { $0.name == name }?.lines ?? []
    let usage = lines.dropFirst(2).prefix { !$0.isEmpty }
    let discussion = lines.dropFirst(3 + usage.count).joined(separator: "\n")
    self.init(
      commandName: name, abstract: lines.first ?? "", usage: usage.joined(separator: "\n"),
      discussion: inserted.map { discussion.replacing("{}", with: $0) } ?? discussion,
      version: version, shouldDisplay: shouldDisplay, subcommands: subcommands,
      defaultSubcommand: defaultSubcommand)
  }
}

extension UsageError {
  /// Creates the error for a missing argument. Commands report it themselves, because the parser would report it before
  /// an unknown option.
  init(missing name: String, of command: any ParsableCommand.Type) {
    let help = command.configuration
    // A command with several forms has one on each line.
    let usage = (help.usage ?? "").prefix { $0 != "\n" }
    self.init("\(help.commandName ?? ""): missing argument '<\(name)>' (expected \(usage))")
  }
}
