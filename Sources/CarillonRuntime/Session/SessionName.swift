import Platform

/// The name of a session: 1 to 32 letters, digits, `-` and `_`.
package struct SessionName: Hashable, Sendable, CustomStringConvertible {
  private static let maximumLength = 32

  /// The session that is used if no other is named.
  package static let main = SessionName(unchecked: "main")

  package let description: String

  private init(unchecked text: String) {
    description = text
  }

  /// - Throws: `UsageError` for any other text.
  package init(_ text: String) throws(UsageError) {
    let isValid = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
    guard isValid, (1...Self.maximumLength).contains(text.utf8.count) else {
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

  /// Returns the folder of the sockets: in `XDG_RUNTIME_DIR`, or else in the folder of the state.
  static func socketFolder(environment: [String: String]) -> String? {
    if let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
      return "\(runtime)/carillon"
    }
    return stateFolder(environment: environment).map { "\($0)/run" }
  }

  /// Returns the path of the session's socket; `nil` if the environment names no folder for it.
  func socketPath(environment: [String: String]) -> String? {
    Self.socketFolder(environment: environment).map { "\($0)/\(self).sock" }
  }
}
