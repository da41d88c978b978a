import Fuzzing
import Testing

@testable import TimerKit

/// Calls as values: what they add to the state machines, which have their own tests.
@Suite struct CallGateTests {
  private let origin = TimerClock.suspending.instant(nanoseconds: 0)

  private func at(_ seconds: Int64) -> TimerClock.Instant { origin + .seconds(seconds) }

  @Test func theNewestValueIsDelivered() throws {
    var gate = try CallGate<String>(
      .debounce(DebounceConfiguration(delay: .seconds(3), tolerance: .seconds(1))))
    #expect(gate.wakeUp == nil)
    #expect(!gate.call("a", at: at(0)) && !gate.call("b", at: at(2)))
    #expect(gate.wakeUp == at(5)...at(6))
    #expect(gate.advance(to: at(4)) == nil)
    let before = gate
    #expect(gate.advance(to: at(5)) == "b" && gate.advance(to: at(5)) == nil)
    #expect(gate.snapshot.deliveredCount == 1 && gate.snapshot.droppedCount == 1)
    #expect(gate != before && before.snapshot.state == .pending)
    gate = before
    #expect(gate.flush(at: at(3)) == .changed && gate.wakeUp == at(3)...at(3))
    #expect(gate.advance(to: at(3)) == "b" && gate.flush(at: at(3)) == .unchanged)
    gate = before
    #expect(gate.cancelPending() == .changed && gate.cancelPending() == .unchanged)
    #expect(gate.wakeUp == nil)
  }

  @Test func theEndOfAnIntervalIsAWakeUpWithoutADelivery() throws {
    var gate = try CallGate<Int>(.throttle(ThrottleConfiguration(interval: .seconds(5))))
    #expect(gate.call(1, at: at(0)) && gate.wakeUp == at(0)...at(0))
    #expect(gate.advance(to: at(0)) == 1)
    #expect(gate.wakeUp == at(5)...at(5) && gate.advance(to: at(5)) == nil && gate.wakeUp == nil)
    #expect(gate.call(2, at: at(6)) && !gate.call(3, at: at(6)))
    #expect(gate.advance(to: at(6)) == 2 && gate.advance(to: at(10)) == nil)
    #expect(gate.advance(to: at(11)) == 3)
  }

  @Test func flushBringsWorkForward() throws {
    var gate = try CallGate<Int>(.background(.coalesce, delay: .seconds(5)))
    #expect(!gate.call(1, at: at(0)) && !gate.call(2, at: at(3)))
    #expect(gate.wakeUp == at(5)...at(5))
    #expect(gate.flush(at: at(4)) == .changed && gate.advance(to: at(4)) == 2)
    #expect(gate.flush(at: at(4)) == .unchanged && gate.wakeUp == nil)
    #expect(gate.snapshot.callCount == 2 && gate.snapshot.droppedCount == 1)
  }

  @Test func aGateOfCallsWithoutValues() throws {
    var gate = try CallGate<Void>(.background(.delay, delay: .seconds(5)))
    #expect(!gate.call(at: at(0)) && !gate.call(times: 3, at: at(3)))
    #expect(gate.wakeUp == at(8)...at(8))
    #expect(gate.advance(to: at(8)) != nil && gate.advance(to: at(8)) == nil)
    #expect(gate.snapshot.callCount == 4)
  }

  @Test func invalidDurationsAreTheErrorsOfLiveLimiters() {
    let invalid = Duration.seconds(-1)
    #expect(throws: TimerConfigurationError.invalidDuration(invalid, parameter: .delay)) {
      try CallGate<Int>(.debounce(DebounceConfiguration(delay: invalid)))
    }
    #expect(throws: TimerConfigurationError.invalidDuration(invalid, parameter: .tolerance)) {
      try CallGate<Int>(.background(.delay, delay: .zero, tolerance: invalid))
    }
  }

  /// Several calls at once are the same as one after the other.
  @Test func severalCalls() {
    let failures = Fuzzing.failures(
      sequences: 1_000, setup: { GateTwins.setup(&$0).rule },
      step: { (calls: $0.below(6), wait: $0.below(5), advances: $0.below(3) == 0) },
      failure: { rule, steps -> String? in
        do {
          var gate = try CallGate<Int>(rule)
          var twin = gate
          var now = at(0)
          for (index, step) in steps.enumerated() {
            let isReady = gate.call(index, times: step.calls, at: now)
            let areReady = (0..<step.calls).map { _ in twin.call(index, at: now) }
            guard areReady.contains(true) == isReady else { return "step \(index): \(isReady)" }
            guard gate == twin || rule.isBackground, gate.snapshot == twin.snapshot else {
              return "step \(index): \(gate), not \(twin)"
            }
            now += .nanoseconds(step.wait)
            if step.advances {
              while let value = gate.advance(to: now) {
                guard twin.advance(to: now) == value else { return "step \(index): value \(value)" }
              }
              guard twin.advance(to: now) == nil else { return "step \(index): not delivered" }
            }
          }
          return nil
        } catch {
          return "\(error)"
        }
      })
    #expect(failures == [])
  }

  @Test(
    .timeLimit(.minutes(1)),
    arguments: [
      .debounce(DebounceConfiguration(delay: .zero, edges: .leading, maxWait: .zero)),
      .debounce(DebounceConfiguration(delay: .zero, edges: .both)),
      .throttle(ThrottleConfiguration(interval: .zero)),
      .background(.delay, delay: .zero),
    ] as [CallGate<Int>.Rule])
  func aBillionCallsAreOneStep(_ rule: CallGate<Int>.Rule) throws {
    var gate = try CallGate<Int>(rule)
    gate.call(1, times: 1_000_000_000, at: at(0))
    gate.call(1, times: .max, at: at(0))
    #expect(gate.snapshot.callCount == .max)
    var count = 0
    while gate.advance(to: at(1)) != nil { count += 1 }
    #expect(count >= 1 && count <= 2 * ControlResult.Refusal.pendingLimit)
    #expect(!gate.call(1, times: 0, at: at(1)) && gate.wakeUp == nil)
  }
}

extension CallGate.Rule {
  /// A background timer counts its changes of the deadline, which several calls at once make one.
  fileprivate var isBackground: Bool { if case .background = self { true } else { false } }
}
