import TimerBoard

/// An error of a configuration.
struct ConfigurationError: Hashable, CustomStringConvertible, Sendable {
  var file: String
  /// The line of a syntax error; `nil` for other errors, which have a key, and errors of the whole file.
  var line: Int?
  /// The key and its tables, separated by dots.
  var key = ""
  var problem: String

  var description: String {
    let location = line.map { "\(file):\($0)" } ?? file
    return key.isEmpty ? "\(location): \(problem)" : "\(location): \(key): \(problem)"
  }
}

/// All errors of a configuration.
struct ConfigurationErrors: ProgramError {
  let all: [ConfigurationError]

  /// The maximum number of errors in the message, so that the first ones stay on the screen.
  private static let shownLimit = 5

  init(_ errors: [ConfigurationError]) {
    all = errors
  }

  init(file: String, problem: String) {
    all = [ConfigurationError(file: file, problem: problem)]
  }

  var exitStatus: Int32 { ExitStatus.usageError }

  var description: String { lines.asDiagnostics }

  /// The message in lines.
  var lines: [String] {
    var lines = all.prefix(Self.shownLimit).map(\.description)
    if let file = all.first?.file, all.count > Self.shownLimit {
      let rest = counted(all.count - Self.shownLimit, "more error")
      lines.append("\(file): \(rest) (carillon check \(file) lists all)")
    }
    return lines
  }
}

extension [String] {
  /// The lines as one message for ``Program/warn(_:)``, which adds the program's name before the first line; the other
  /// lines begin with it here.
  var asDiagnostics: String { joined(separator: "\ncarillon: ") }
}
