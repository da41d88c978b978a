import Foundation
import Platform
import Testing

/// A folder for one test, removed afterwards. It is in /tmp because the path of a socket must be
/// short.
struct TemporaryFolder {
  private let url = URL(fileURLWithPath: "/tmp/carillon-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func text(of name: String) throws -> String { try text(ofFile: path(name)) }

  /// Returns the text of a file with one line.
  func line(of name: String) throws -> String {
    try text(of: name).trimmingCharacters(in: .newlines)
  }

  /// Ends the owners of the sessions in the folder, which nobody could reach without it, and removes the folder.
  func remove() {
    let files = FileManager.default.enumerator(atPath: url.path)?.compactMap { $0 as? String } ?? []
    for lock in files where lock.hasSuffix(".lock") { endOwner(lock: path(lock)) }
    try? FileManager.default.removeItem(at: url)
  }

  /// Ends the process that has a lock, and waits for its end. A board can have continued in the background.
  private func endOwner(lock path: String) {
    let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let limit = ContinuousClock.now + waitLimit
    var signal = SIGTERM
    while flock(descriptor, LOCK_SH | LOCK_NB) != 0, errno == EWOULDBLOCK,
      let words = try? text(ofFile: path).split(whereSeparator: \.isWhitespace),
      let owner = words.lazy.compactMap({ pid_t($0) }).first, owner > 1
    {
      kill(owner, signal)
      usleep(10_000)
      if ContinuousClock.now > limit { signal = SIGKILL }
    }
  }

  private func text(ofFile path: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
  }
}

/// Returns true if a program is on the path.
func isInstalled(_ program: String) -> Bool {
  (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
    .contains { FileManager.default.isExecutableFile(atPath: "\($0)/\(program)") }
}

/// The program under test.
enum Program {
  /// The path of the program that was built with the tests, or of the one in the variable
  /// `CARILLON`.
  static func path() throws -> String {
    if let path = ProcessInfo.processInfo.environment["CARILLON"] { return path }
    // If the tests are a separate program, it is the main bundle; otherwise the tests are a loaded
    // bundle.
    let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") } ?? .main
    var folder = tests.bundleURL
    while folder.path != "/" {
      let path = folder.appendingPathComponent("carillon").path
      if (try? FileManager.default.attributesOfItem(atPath: path)[.type]) as? FileAttributeType
        == .typeRegular
      {
        return path
      }
      folder.deleteLastPathComponent()
    }
    throw NotBuilt(tests: tests.bundlePath)
  }

  struct NotBuilt: Error, CustomStringConvertible {
    var tests: String
    var description: String {
      "no carillon program beside \(tests); build it with swift build --build-tests"
    }
  }

  /// Returns an environment isolated from the user's.
  /// - Parameter changes: the variables to change, or to remove if `nil`.
  static func environment(
    in folder: TemporaryFolder, with changes: [String: String?] = [:]
  ) -> [String: String] {
    let own = ProcessInfo.processInfo.environment
    var environment = [
      "PATH": own["PATH"] ?? "/usr/bin:/bin",
      "HOME": folder.path("home"),
      "XDG_CONFIG_HOME": folder.path("config"),
      "XDG_STATE_HOME": folder.path("state"),
      "XDG_RUNTIME_DIR": folder.path(""),
      "TERM": "xterm-256color",
      "LANG": "C.UTF-8",
      "TZ": "UTC",
      // Tests send crash signals; a backtrace would only take time.
      "SWIFT_BACKTRACE": "enable=no",
    ]
    for (name, value) in changes { environment[name] = value }
    return environment
  }
}
