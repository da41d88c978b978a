import ArgumentParser
import Dashboard

/// `carillon check`: what a file holds, or what is wrong with it.
struct Check: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "check",
    abstract: "Check a configuration or a session file.",
    usage: "carillon check <file>",
    discussion: """
      Prints every error with its line, its key and what was expected.

        carillon check ~/.config/carillon/config.toml
        carillon check ~/.local/state/carillon/session.json

      Exit status: 0, or 1 where something is wrong.
      """)

  @Argument(help: ArgumentHelp("The file; one that begins with { is a session.", valueName: "file"))
  var file: String?

  func run() throws {
    guard let file else { throw MissingArgument("file", of: Self.self) }
    guard let bytes = try SessionStore.contents(of: file) else {
      throw CheckFault(description: "\(file): there is no such file")
    }
    let result: String
    let faults: [String]
    if bytes.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "{") {
      do {
        let session = try SessionFile(bytes)
        faults = session.faults.map { "\(file): \($0)" }
        result = "a session of \(counted(session.timers.count, "timer"))"
      } catch {
        throw CheckFault(description: "\(file): \(error)")
      }
    } else {
      faults = Configuration.faults(bytes, file: file).map(\.description)
      let configuration = try? Configuration(bytes, file: file)
      result =
        "a configuration with \(counted(configuration?.timers.count ?? 0, "timer"))"
        + " and \(counted(configuration?.presets.count ?? 0, "preset"))"
    }
    guard faults.isEmpty else {
      throw CheckFault(description: faults.joined(separator: "\ncarillon: "))
    }
    try StandardOutput.write("\(file.printable()): \(result)\n")
  }

  private func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}

/// What is wrong with a file.
struct CheckFault: Error, CustomStringConvertible {
  var description: String
}
