@testable import TimerKit

/// Records values from several threads.
final class Recorder<Element: Sendable>: Sendable {
  private let items = Guarded<[Element]>([])

  func append(_ item: Element) { items.withLock { $0.append(item) } }
  var all: [Element] { items.withLock { $0 } }
  var count: Int { items.withLock { $0.count } }
}
