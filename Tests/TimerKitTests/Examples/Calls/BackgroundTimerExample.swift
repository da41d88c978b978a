import Synchronization
import Testing
import TimerKit

/// A log that is written to its file with a delay, which is short for urgent lines.
private final class Journal: Sendable {
  private let timer: BackgroundTimer<Journal>
  private let buffer = Mutex<[String]>([])
  private let file = Mutex<[String]>([])

  init(clock: TimerClock) {
    timer = BackgroundTimer(clock: clock)
    timer.owner = self
  }

  func log(_ line: String, isUrgent: Bool = false) {
    buffer.withLock { $0.append(line) }
    timer.perform(after: isUrgent ? .milliseconds(100) : .seconds(60)) { $0.flush() }
  }

  /// Excludes a concurrent flush: every line is either in the buffer or in the file.
  var all: [String] {
    timer.performExclusively { written + buffer.withLock { $0 } }
  }

  var written: [String] { file.withLock { $0 } }

  private func flush() {
    let lines = buffer.withLock { buffer in
      defer { buffer = [] }
      return buffer
    }
    file.withLock { $0 += lines }
  }
}

@Test func exampleBackgroundTimer() {
  let clock = VirtualClock()
  let journal = Journal(clock: .virtual(clock))

  journal.log("started")
  journal.log("still here")
  clock.advance(by: .seconds(10))
  #expect(journal.written == [])
  journal.log("disk full", isUrgent: true)
  clock.advance(by: .milliseconds(100))
  #expect(journal.written == ["started", "still here", "disk full"])
  #expect(journal.all == journal.written)
}
