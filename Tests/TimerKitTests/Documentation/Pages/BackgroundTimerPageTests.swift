// Page: Kinds/BackgroundTimer.md

import Synchronization
import Testing

@testable import TimerKit

@Suite(.virtualTime) struct BackgroundTimerPageTests {
  let system = VirtualSystem.current

  // Section: State of several parts
  @Test func stateOfSeveralParts() {
    final class Journal: Sendable {
      private let timer = BackgroundTimer<Journal>(behavior: .coalesce)
      private let buffer = Mutex<[String]>([])
      private let file = Mutex<[String]>([])

      init() { timer.owner = self }

      func log(_ line: String, isUrgent: Bool = false) {
        buffer.withLock { $0.append(line) }
        timer.perform(after: isUrgent ? .milliseconds(100) : .seconds(60)) { journal in
          journal.flush()
        }
      }

      /// Each line is in the buffer or in the file, and never in neither.
      var lines: [String] {
        timer.performExclusively { file.withLock { $0 } + buffer.withLock { $0 } }
      }

      private func flush() {
        let lines = buffer.withLock { buffer in
          defer { buffer = [] }
          return buffer
        }
        file.withLock { $0 += lines }
      }

      var written: [String] { file.withLock { $0 } }
    }
    let journal = Journal()
    journal.log("started")
    journal.log("still here")
    system.advance(by: .seconds(10))
    #expect(journal.written == [])
    journal.log("disk full", isUrgent: true)
    system.advance(by: .milliseconds(100))
    journal.log("later")
    #expect(journal.written == ["started", "still here", "disk full"])
    #expect(journal.lines == ["started", "still here", "disk full", "later"])
  }

  // Section: In use, and out of use
  @MainActor @Test func inUseAndOutOfUse() {
    final class ShrinkingArray<Element: Sendable>: Sendable {
      private let timer = BackgroundTimer<ShrinkingArray<Element>>(behavior: .coalesce)
      private let elements = Mutex<[Element]>([])

      init() { timer.owner = self }

      var capacity: Int { elements.withLock { $0.capacity } }

      func append(_ element: Element) { elements.withLock { $0.append(element) } }

      func popLast() -> Element? {
        timer.perform(after: .milliseconds(500)) { array in array.shrinkIfNecessary() }
        return elements.withLock { $0.popLast() }
      }

      private func shrinkIfNecessary() {
        elements.withLock { elements in
          guard elements.capacity > max(64, 2 * elements.count) else { return }
          elements = elements.map { $0 }  // a copy has no free slots
        }
      }
    }
    let array = ShrinkingArray<Int>()
    for number in 0..<10_000 { array.append(number) }
    let full = array.capacity
    // It is in use without a pause: the array shrinks nevertheless, as soon as half of it is free.
    var capacities: Set<Int> = []
    for number in (0..<10_000).reversed() {
      #expect(array.popLast() == number)
      if number % 100 == 0 {
        system.advance(by: .milliseconds(100))
        capacities.insert(array.capacity)
      }
    }
    #expect((4...12).contains(capacities.count), "\(capacities)")
    system.advance(by: .seconds(1))
    #expect(array.capacity <= 64 && full >= 10_000)

    @MainActor final class Preview {
      private let timer = BackgroundTimer<Preview>(
        behavior: .delay, isolation: MainActor.shared)
      private(set) var drawCount = 0

      init() { timer.owner = self }

      func mouseMoved() {
        timer.perform(after: .milliseconds(200), isolation: MainActor.shared) { preview in
          preview.draw()
        }
      }

      private func draw() { drawCount += 1 }
    }
    let preview = Preview()
    for _ in 1...50 {
      preview.mouseMoved()
      system.advance(by: .milliseconds(100))
    }
    #expect(preview.drawCount == 0)
    system.advance(by: .milliseconds(100))
    #expect(preview.drawCount == 1)
  }
}
