import Foundation
import Testing

/// A folder for one test, removed afterwards. It is in /tmp because the path of a socket must be
/// short.
struct TemporaryFolder {
  private let url = URL(fileURLWithPath: "/tmp/carillon-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
  }

  /// Returns the text of a file with one line.
  func line(of name: String) throws -> String {
    try text(of: name).trimmingCharacters(in: .newlines)
  }

  func remove() {
    try? FileManager.default.removeItem(at: url)
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
