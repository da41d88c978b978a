import Foundation
import Testing

/// A folder for one test, gone after it. It is in /tmp since a socket's path must be short.
struct TemporaryFolder {
  private let url = URL(fileURLWithPath: "/tmp/carillon-\(UUID().uuidString)")

  init() throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: url.appendingPathComponent(name)), as: UTF8.self)
  }

  /// The text of a file that holds one line.
  func line(of name: String) throws -> String {
    try text(of: name).trimmingCharacters(in: .newlines)
  }

  func remove() {
    try? FileManager.default.removeItem(at: url)
  }
}

/// The program under test.
enum Program {
  /// The one that is built along with the tests, or the one that `CARILLON` names.
  static func path() throws -> String {
    if let path = ProcessInfo.processInfo.environment["CARILLON"] { return path }
    // Where the tests are a program of their own that is the main bundle, else a loaded one.
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
      "there is no carillon beside \(tests): swift build --build-tests makes it"
    }
  }

  /// A surrounding of the test's own: nothing of the user's gets in, and nothing gets out.
  /// - Parameter changes: what a test wants otherwise; `nil` for what is not to be there.
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
      // Tests send the signals of crashes; a report of one would only take its time.
      "SWIFT_BACKTRACE": "enable=no",
    ]
    for (name, value) in changes { environment[name] = value }
    return environment
  }
}
