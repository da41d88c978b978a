import Platform

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
}

extension SessionName {
  /// Returns the folder of the program's state; `nil` if the environment names none.
  static func stateFolder(environment: [String: String]) -> String? {
    if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
      return "\(state)/carillon"
    }
    if let home = environment["HOME"], home.hasPrefix("/") {
      return "\(home)/.local/state/carillon"
    }
    return nil
  }
}
