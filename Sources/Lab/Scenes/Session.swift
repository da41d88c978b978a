import Dashboard
import Synchronization
import TimerKit

extension Scene {
  static let session = Scene(
    name: "session", about: "a session that expires, renewed in time and too late",
    explanation: [
      "A session expires 2 s after its login or its last renewal; x renews it, and l logs in"
        + " again.",
      "A reader reads the value every half second: it is available until the deadline and"
        + " not after, and a late renewal throws an error and never revives the session.",
      "“Design patterns for safe timer usage” has a published container that never stores its"
        + " value: reading it finds nothing from the start, and it accepts a renewal that is too"
        + " late without an error.",
    ],
    keys: [.init("x", "renew"), .init("l", "log in again")],
    legend: [
      .init(.character("A"), "session A"), .init(.started, "renewed"),
      .init(.ended, "expired"), .init(.failed, "too late"), .init(.ignored, "read: no value"),
    ],
    terms: [.container],
    listings: [
      LabCode(
        "the container as published", region: "published-container", isCounterexample: true),
      LabCode("a value with a lifetime", region: "session"),
    ],
    open: {
      VirtualPlayer(
        script: Script("-----x-----x-----------x-l----x---------"), inputs: ["x", "l"]
      ) { fixture in
        let lane = fixture.lane("session")
        let reader = fixture.lane("reader").reading()
        let publishedReader = fixture.lane("published").reading()
        // region: session
        let session = try TimeLimited<Character>(
          "A", for: .seconds(2), clock: .virtual(fixture.clock)
        ) { _, _ in
          lane.mark(.ended)
          lane.setLineStyle(.none)
        }
        // endregion
        let published = PublishedContainer(
          value: Character("A"), lifetime: .seconds(2), on: fixture.clock)
        let readings = try Repeater.every(.milliseconds(500), clock: .virtual(fixture.clock)) {
          _, _ in
          reader.mark(session.value.map(LabMarkKind.character) ?? .ignored)
          publishedReader.mark(published.value.map(LabMarkKind.character) ?? .ignored)
        }
        lane.mark(.character("A"))
        lane.setNote { session.timeLeftText(at: fixture.clock.now) }
        var names = Array("ZYXWVUTSRQPONMLKJIHGFEDCB")
        fixture.keep(readings)
        return { key in
          if key == "l" {
            let name = names.popLast() ?? "A"
            // region: session
            session.replace(with: name)
            // endregion
            lane.mark(.character(name))
            lane.setLineStyle(.idle)
            return
          }
          published.resetTimer(to: .seconds(2))
          publishedReader.mark(.started)
          // region: session
          do {
            try session.renew()
            lane.mark(.started)
          } catch {  // TimeLimitedError.expired
            lane.mark(.failed)
          }
          // endregion
        }
      }
    })
}

extension TimeLimited {
  fileprivate func timeLeftText(at now: TimerClock.Instant) -> String {
    snapshot.timeLeft(at: now).map { "\($0.tenths) left" } ?? "expired"
  }
}

extension Lane {
  /// Shows, beside the lane, the number of reads that found a value.
  fileprivate func reading() -> Lane {
    setLineStyle(.none)
    setNote { [weak self] in
      guard let self else { return "" }
      let reads = markCount - count(.started)
      return "\(reads - count(.ignored)) of \(reads) reads found a value"
    }
    return self
  }
}

/// Unsafe: the `TimeLimitedContainer` of “Design patterns for safe timer usage” as it is
/// printed there, with its mistakes. Here it has a ``DeadlineTimer``, which can run on virtual time, and a mutex in place of
/// its queue.
final class PublishedContainer<Value: Sendable>: Sendable {
  // region: published-container
  private let possibleValue: MutexBox<Value?>
  private let timer: DeadlineTimer
  private let clock: VirtualClock

  init(value: Value, lifetime: Duration, on clock: VirtualClock) {
    self.clock = clock
    possibleValue = MutexBox(nil)  // not `value`
    timer = DeadlineTimer(clock: .virtual(clock)) { [possibleValue] _, _ in
      possibleValue.value = nil
    }
    timer.schedule(at: clock.now.advanced(by: lifetime))
  }

  var value: Value? { possibleValue.value }

  func resetTimer(to lifetime: Duration) {  // no error after the deadline
    timer.schedule(at: clock.now.advanced(by: lifetime))
  }
  // endregion
}

private final class MutexBox<Value: Sendable>: Sendable {
  private let stored: Mutex<Value>

  init(_ value: Value) {
    stored = Mutex(value)
  }

  var value: Value {
    get { stored.withLock { $0 } }
    set { stored.withLock { $0 = newValue } }
  }
}
