/// `carillon check`: a configuration or session file, and every error in it.
package enum CheckCommand {
  private struct Failure: ProgramError {
    var description: String
  }

  /// Prints what a file holds.
  /// - Throws: all its errors, one a line.
  package static func run(_ file: String) throws {
    guard let bytes = try SessionStore.contents(of: file) else {
      throw Failure(description: "\(file): no such file")
    }
    let summary: String
    let errors: [String]
    if bytes.first(where: { $0 > UInt8(ascii: " ") }) == UInt8(ascii: "{") {
      do throws(SessionFile.Fault) {
        let session = try SessionFile(bytes)
        errors = session.faults.map { "\(file): \($0)" }
        summary = "a session of \(counted(session.timers.count, "timer"))"
      } catch {
        throw Failure(description: "\(file): \(error)")
      }
    } else {
      errors = Configuration.faults(bytes, file: file).map(\.description)
      let configuration = try? Configuration(bytes, file: file)
      summary =
        "a configuration with \(counted(configuration?.timers.count ?? 0, "timer"))"
        + " and \(counted(configuration?.presets.count ?? 0, "preset"))"
    }
    guard errors.isEmpty else {
      throw Failure(description: errors.joined(separator: "\ncarillon: "))
    }
    try StandardOutput.write("\(file.printable()): \(summary)\n")
  }

  private static func counted(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }
}
