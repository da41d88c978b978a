import Platform

/// The store of a session: the file `NAME.json` in the folder of all sessions. One process at a time, the owner,
/// has the lock for writing.
struct SessionStore: Sendable {
  let name: SessionName
  let folder: String
  let environment: [String: String]
  let files: FileSystem
  var path: String { "\(folder)/\(name).json" }
  /// The paths of the socket, the preferred one first: in `XDG_RUNTIME_DIR`, and beside the folder of all sessions.
  var socketPaths: [String] {
    let runtime = environment["XDG_RUNTIME_DIR"].flatMap { $0.hasPrefix("/") ? $0 : nil }
    let folders =
      (runtime.map { ["\($0)/carillon"] } ?? []) + ["\(FileSystem.folder(of: folder))/run"]
    return folders.map { "\($0)/\(name).sock" }
  }
  var lockPath: String { "\(folder)/\(name).lock" }

  /// - Parameter environment: `XDG_STATE_HOME`, or else `HOME`, determines the folder.
  init?(
    environment: [String: String], name: SessionName = .main, files: FileSystem = FileSystem()
  ) {
    guard let state = SessionName.stateFolder(environment: environment) else { return nil }
    self.name = name
    self.environment = environment
    folder = "\(state)/sessions"
    self.files = files
  }

  /// Creates the store of a session for a command.
  init(_ name: SessionName, for command: String) throws(ProgramFailure) {
    guard let store = SessionStore(environment: Program.environment, name: name) else {
      throw ProgramFailure(
        "\(command): no folder for the session (expected HOME in the environment)")
    }
    self = store
  }

  /// Returns the bytes of the session; `nil` if there is none. Throws if another user owns or can write the file or its
  /// folders, because a session contains commands.
  func load() throws(FileError) -> [UInt8]? {
    let target = try files.resolved(path)
    guard let bytes = try files.contents(of: target, forbiddenMode: 0o022) else { return nil }
    let folders = [FileSystem.folder(of: folder), folder, FileSystem.folder(of: target)]
    for folder in Set(folders).sorted() { try files.checkFolder(folder) }
    return bytes
  }

  /// Replaces the session file atomically.
  func save(_ bytes: [UInt8]) throws(FileError) {
    try files.replace(try files.resolved(path), with: bytes)
  }

  /// Renames a session file that is not read, so that a new one can be saved without losing it.
  /// - Parameter word: The end of the new name, which a number follows unless it is the first.
  /// - Returns: The new path.
  func quarantine(as word: String) throws(FileError) -> String {
    let target = try files.resolved(path)
    let newPath = try freePath(target, as: word)
    guard files.call("rename", target, { rename(target, newPath) }) == 0 else {
      throw FileError(target)
    }
    return newPath
  }

  /// Saves a session beside its file, which belongs to another process.
  /// - Parameter word: The end of the new name, as in ``quarantine(as:)``.
  /// - Returns: The new path.
  func saveBeside(_ bytes: [UInt8], as word: String) throws(FileError) -> String {
    let newPath = try freePath(try files.resolved(path), as: word)
    try files.replace(newPath, with: bytes)
    return newPath
  }

  /// Returns a name that no file has: `main.json.old`, `main.json.old-2` and so on.
  private func freePath(_ target: String, as word: String) throws(FileError) -> String {
    for number in 1... {
      let newPath = "\(target).\(word)" + (number > 1 ? "-\(number)" : "")
      if files.exists(newPath) { continue }
      // A file that may exist must not be overwritten.
      guard errno == ENOENT else { throw FileError(newPath) }
      return newPath
    }
    return target
  }
}

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
