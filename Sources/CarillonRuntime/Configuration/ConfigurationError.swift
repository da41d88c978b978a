/// An error of a configuration.
struct ConfigurationError: Hashable, CustomStringConvertible, Sendable {
  var file: String
  /// The place; nil if the file as a whole is wrong.
  var position: TOMLPosition?
  /// The key with the tables around it, separated by dots.
  var key = ""
  var problem: String

  var description: String {
    let place = position.map { "\(file):\($0.line)" } ?? file
    return key.isEmpty ? "\(place): \(problem)" : "\(place): \(key): \(problem)"
  }
}

/// All errors of a configuration, in the order of their places.
struct ConfigurationErrors: ProgramError {
  let all: [ConfigurationError]

  /// More would push the first ones off the screen.
  private static let mostShown = 5

  init(_ errors: [ConfigurationError]) {
    all = errors.sorted { one, other in
      guard let first = one.position, let second = other.position else {
        return one.position == nil && other.position != nil
      }
      return (first, one.key) < (second, other.key)
    }
  }

  init(file: String, problem: String) {
    all = [ConfigurationError(file: file, problem: problem)]
  }

  var exitStatus: Int32 { ExitStatus.usageError }

  var description: String {
    var lines = all.prefix(Self.mostShown).map(\.description)
    if let file = all.first?.file, all.count > Self.mostShown {
      lines.append(
        "\(file): \(all.count - Self.mostShown) more errors (carillon check \(file) lists them)")
    }
    return lines.asDiagnostics
  }
}

extension [String] {
  /// The lines as one message, which ``Program/warn(_:)`` writes with the program's name before each.
  var asDiagnostics: String { joined(separator: "\ncarillon: ") }
}
