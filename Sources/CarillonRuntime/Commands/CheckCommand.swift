import ArgumentParser
import TimerBoard

/// `carillon check`: checks a configuration or session file.
struct CheckCommand: ParsableCommand {
  static let configuration = CommandConfiguration("check")

  @Argument(
    help: ArgumentHelp(
      "A session file, which begins with {, or a configuration; the default one if omitted.",
      valueName: "file"))
  var file: String?

  /// Prints a summary of the file.
  /// - Throws: All errors of the file, one on each line.
  func run() throws {
    guard let file else { return try checkDefault() }
    guard let bytes = try FileSystem().contents(of: file, mustBeRegular: true) else {
      throw ProgramFailure("\(file): no such file")
    }
    // An empty file is a configuration, but no session.
    let first = bytes.first { $0 > UInt8(ascii: " ") }
    let isSession = first.map { $0 == UInt8(ascii: "{") } ?? file.hasSuffix(".json")
    let summary = try isSession ? Self.session(bytes, file) : Self.configuration(bytes, file)
    try StandardStreams.write("\(file.printable()): \(summary)\n")
  }

  /// Checks the default configuration, which may be missing.
  private func checkDefault() throws {
    guard let path = Configuration.defaultPath(environment: Program.environment) else {
      throw UsageError("check: no folder for the configuration (expected HOME in the environment)")
    }
    let bytes = try FileSystem().contents(of: path, forbiddenMode: Configuration.forbiddenMode)
    let summary =
      try bytes.map { try Self.configuration($0, path) } ?? "no such file; the defaults apply"
    try StandardStreams.write("\(path.printable()): \(summary)\n")
  }

  private static func session(_ bytes: [UInt8], _ file: String) throws -> String {
    let session = try ProgramFailure.naming(file) { try SessionFile(bytes) }
    let errors = session.timerFaults.map { "\(file): \($0)" }
    guard errors.isEmpty else { throw ProgramFailure(errors.asDiagnostics) }
    return "a session of \(counted(session.board.timers.count, "timer"))"
  }

  private static func configuration(_ bytes: [UInt8], _ file: String) throws -> String {
    do throws(ConfigurationErrors) {
      let configuration = try Configuration(bytes, file: file)
      return "a configuration with \(counted(configuration.timers.count, "timer"))"
        + " and \(counted(configuration.presets.count, "preset"))"
    } catch {
      throw ProgramFailure(error.all.map(\.description).asDiagnostics)
    }
  }
}
