import Synchronization

/// Records the output of an example.
final class Printed: Sendable {
  private let text = Mutex<[String]>([])

  func line(_ line: String) { text.withLock { $0.append(line) } }
  var lines: [String] { text.withLock { $0 } }
}
