import Dispatch
import Testing

@testable import TimerKit

/// Configurations and handlers of the four limiters.
@Suite struct LimiterControlTests {
  @MainActor private final class Entries {
    var all: [String] = []
  }

  let clock = VirtualClock()
  let values = Recorder<String>()
  private let debounce = DebounceConfiguration(
    delay: .milliseconds(10), edges: .both, maxWait: .milliseconds(30),
    tolerance: .milliseconds(2))
  private let throttle = ThrottleConfiguration(
    interval: .milliseconds(10), mode: .fromDelivery(firstAtOnce: false), keeping: .first,
    tolerance: .milliseconds(2))

  @Test func aLimiterHasTheConfigurationItWasCreatedWith() throws {
    #expect(try Debouncer<Int>(debounce).configuration == debounce)
    #expect(try KeyedDebouncer<Int, Int>(debounce).configuration == debounce)
    #expect(try Throttler<Int>(throttle).configuration == throttle)
    #expect(try KeyedThrottler<Int, Int>(throttle).configuration == throttle)
    // An interval of zero delivers every call, in every mode.
    let open = ThrottleConfiguration(interval: .zero, mode: .deferred, keeping: .nothing)
    #expect(try Throttler<Int>(open).configuration == open)
    let endless = DebounceConfiguration(delay: .seconds(1))
    #expect(try Debouncer<Int>(endless).configuration == endless)
  }

  @Test func aNewDelayIsInTheConfiguration() throws {
    var changed = debounce
    changed.delay = .milliseconds(3)
    let debouncer = try Debouncer<Int>(debounce)
    let keyed = try KeyedDebouncer<Int, Int>(debounce)
    debouncer.setDelay(changed.delay)
    keyed.setDelay(changed.delay)
    #expect(debouncer.configuration == changed)
    #expect(keyed.configuration == changed)
  }

  @Test func aHandlerCanBeAddedAndReplaced() throws {
    let debouncer = try Debouncer<Int>(delay: .zero, clock: .virtual(clock))
    debouncer.observe { [values] _, event in
      if case .delivery(let value) = event { values.append("observed \(value)") }
    }
    debouncer.call(1)
    clock.advance(by: .zero)
    debouncer.setHandler { [values] _, value in values.append("first \(value)") }
    debouncer.call(2)
    clock.advance(by: .zero)
    debouncer.removeAllObservers()
    debouncer.setHandler { [values] _, value in values.append("second \(value)") }
    debouncer.call(3)
    clock.advance(by: .zero)
    #expect(values.all == ["observed 1", "observed 2", "first 2", "second 3"])
  }

  @Test func everyLimiterHasAHandlerToReplace() throws {
    let keyed = try KeyedDebouncer<String, Int>(delay: .zero, clock: .virtual(clock))
    keyed.setHandler { [values] _, key, value in values.append("\(key)\(value)") }
    keyed.call(1, for: "a")
    let throttler = try Throttler<Int>(interval: .zero, clock: .virtual(clock))
    throttler.setHandler { [values] _, value in values.append("t\(value)") }
    throttler.call(2)
    let keyedThrottler = try KeyedThrottler<String, Int>(interval: .zero, clock: .virtual(clock))
    keyedThrottler.setHandler { [values] _, key, value in values.append("\(key)\(value)") }
    keyedThrottler.call(3, for: "k")
    clock.advance(by: .zero)
    #expect(Set(values.all) == ["a1", "t2", "k3"])
  }

  @MainActor @Test func aNewHandlerCanRunOnTheMainActor() throws {
    let shared = MainActor.shared
    let entries = Entries()
    let debouncer = try Debouncer<Int>(delay: .zero, clock: .virtual(clock))
    debouncer.setHandler(isolation: shared) { _, value in entries.all.append("d\(value)") }
    debouncer.call(1)
    let keyed = try KeyedDebouncer<String, Int>(delay: .zero, clock: .virtual(clock))
    keyed.setHandler(isolation: shared) { _, key, value in entries.all.append("\(key)\(value)") }
    keyed.call(2, for: "k")
    let throttler = try Throttler<Int>(interval: .zero, clock: .virtual(clock))
    throttler.setHandler(isolation: shared) { _, value in entries.all.append("t\(value)") }
    throttler.call(3)
    let keyedThrottler = try KeyedThrottler<String, Int>(interval: .zero, clock: .virtual(clock))
    keyedThrottler.setHandler(isolation: shared) { _, key, _ in entries.all.append(key) }
    keyedThrottler.call(4, for: "l")
    clock.advance(by: .zero)
    #expect(Set(entries.all) == ["d1", "k2", "t3", "l"])
  }
}
