/// The sockets on which the processes of a user publish their timers: `PID.sock` in one folder.
public enum InspectorFolder {
  /// Returns the path of the folder: `timerkit` in `$XDG_RUNTIME_DIR`, or else one with the number of the user in the
  /// temporary folder.
  public static func path(_ variable: (String) -> String?) -> String {
    func folder(_ name: String) -> String? {
      variable(name).flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    return folder("XDG_RUNTIME_DIR").map { "\($0)/timerkit" }
      ?? "\(folder("TMPDIR") ?? "/tmp")/timerkit-\(geteuid())"
  }
}

/// Returns the reason why others can use a folder, or put files into it; `nil` if only the user can.
public func privacyFault(ofFolder path: String) -> String? {
  var found = stat()
  guard lstat(path, &found) == 0 else { return String(cString: strerror(errno)) }
  guard found.st_mode & S_IFMT == S_IFDIR, found.st_uid == geteuid() else {
    return "not a folder of this user"
  }
  return found.st_mode & 0o077 == 0
    ? nil : "accessible to others (expected: chmod 700 '\(path)')"
}
