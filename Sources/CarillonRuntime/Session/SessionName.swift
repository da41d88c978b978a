/// The name of a session: 1 to 32 letters, digits, `-` and `_`.
package struct SessionName: Hashable, Sendable, CustomStringConvertible {
  private static let maximumLength = 32
  private static let allowed = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_".utf8)

  /// The session that is used if no other is named.
  package static let main = SessionName(unchecked: "main")

  package let description: String

  private init(unchecked text: String) {
    description = text
  }

  /// - Throws: `UsageError` for any other text.
  package init(_ text: String) throws(UsageError) {
    guard text.utf8.allSatisfy(Self.allowed.contains),
      (1...Self.maximumLength).contains(text.utf8.count)
    else {
      throw UsageError(
        "--session: invalid name '\(text)'"
          + " (expected 1 to \(Self.maximumLength) letters, digits, '-' or '_')")
    }
    description = text
  }

  /// Returns the name with a number: `NAME-2`. The end of a name that is then too long is cut off.
  func numbered(_ number: Int) -> SessionName {
    let suffix = "-\(number)"
    let base = description.prefix(Self.maximumLength - suffix.utf8.count)
    return SessionName(unchecked: "\(base)\(suffix)")
  }

  /// Returns the folder of the program's state; `nil` if the environment names none.
  static func stateFolder(environment: [String: String]) -> String? {
    environment.folder("XDG_STATE_HOME", inHome: ".local/state")
  }
}

extension [String: String] {
  /// Returns the folder of carillon in the one that a variable names, or else in one of the home folder.
  func folder(_ variable: String, inHome path: String) -> String? {
    for (name, below) in [(variable, ""), ("HOME", "/\(path)")] {
      if let folder = self[name], folder.hasPrefix("/") { return "\(folder)\(below)/carillon" }
    }
    return nil
  }
}
