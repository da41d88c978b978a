import Fuzzing
import Testing

@testable import TimerKit

/// Timers as values in a queue, compared with the same values in a dictionary.
@Suite struct TimerQueueTests {
  private let origin = TimerClock.suspending.instant(nanoseconds: 0)

  private func at(_ nanoseconds: Int64) -> TimerClock.Instant {
    TimerClock.suspending.instant(nanoseconds: nanoseconds)
  }

  private func timer(
    every interval: Int64, _ mode: Repeater.Mode = .infinite, tolerance: Int64 = 0,
    startedAt time: Int64? = 0
  ) throws -> Repeater.Value {
    var timer = try Repeater.Value(
      interval: .nanoseconds(interval), mode: mode, tolerance: .nanoseconds(tolerance))
    if let time { timer.start(at: at(time)) }
    return timer
  }

  @Test func deliveriesComeInOrder() throws {
    var queue = TimerQueue<String, Repeater.Value>()
    queue.set(try timer(every: 30, .once), for: "c")
    queue.set(try timer(every: 10, .once), for: "a")
    queue.set(try timer(every: 20, .once), for: "b")
    queue.set(try timer(every: 5, startedAt: nil), for: "idle")
    #expect(queue.count == 4 && queue.wakeUp == at(10)...at(10))
    #expect(queue.advance(to: at(9)) == nil)
    var order: [String] = []
    while let next = queue.advance(to: at(25)) { order.append(next.id) }
    #expect(order == ["a", "b"])
    #expect(queue["a"]?.state == .finished && queue.wakeUp == at(30)...at(30))
    #expect(Set(queue.ids) == ["a", "b", "c", "idle"])
    #expect(queue.remove("c")?.state == .running && queue.remove("c") == nil)
    #expect(queue.wakeUp == nil)
    for id in Array(queue.ids) { queue.remove(id) }
    #expect(queue.isEmpty && queue.chunks.isEmpty)
  }

  @Test func valuesChangeInPlace() throws {
    var queue = TimerQueue<Int, Repeater.Value>()
    queue[1] = try timer(every: 10)
    queue[2] = try timer(every: 20)
    queue[1]?.adjustTimeLeft(by: .nanoseconds(15), at: at(0))
    #expect(queue.wakeUp == at(20)...at(20))
    queue[1]?.adjustTimeLeft(by: .nanoseconds(-20), at: at(0))
    #expect(queue.wakeUp == at(5)...at(5))
    #expect(queue.update(1) { $0.pause(at: at(1)) } == .changed)
    #expect(queue.update(3) { $0.pause(at: at(1)) } == nil)
    #expect(queue.wakeUp == at(20)...at(20))
    queue[2] = nil
    queue[4] = nil
    #expect(queue.count == 1 && queue.wakeUp == nil)
    queue[1]?.start(at: at(1))
    #expect(queue.wakeUp == at(5)...at(5))
  }

  @Test func whatIsStoppedWhileOthersAreDeliveredIsNotDelivered() throws {
    var queue = TimerQueue<Int, Repeater.Value>()
    for id in 0..<100 { queue.set(try timer(every: 10 + Int64(id), .once), for: id) }
    var delivered: [Int] = []
    while let next = queue.advance(to: at(500)) {
      delivered.append(next.id)
      if next.id % 2 == 0 { queue[next.id + 1]?.pause(at: at(500)) }
      if next.id == 50 { for id in 60..<100 { queue.remove(id) } }
    }
    #expect(delivered == Array(stride(from: 0, to: 60, by: 2)))
  }

  @Test func aWakeUpMeetsAllTolerances() throws {
    var queue = TimerQueue<Int, Repeater.Value>()
    queue.set(try timer(every: 100, tolerance: 40), for: 1)
    #expect(queue.wakeUp == at(100)...at(140))
    queue.set(try timer(every: 110, tolerance: 10), for: 2)
    queue.set(try timer(every: 130), for: 3)
    #expect(queue.wakeUp == at(100)...at(120))
    // The wake-up at its end delivers both.
    #expect(queue.advance(to: at(120))?.id == 1)
    #expect(queue.advance(to: at(120))?.id == 2)
    #expect(queue.advance(to: at(120)) == nil)
  }

  @Test func aCopyIsIndependent() throws {
    var queue = TimerQueue<Int, Repeater.Value>()
    for id in 0..<3_000 { queue.set(try timer(every: 10 + Int64(id % 7)), for: id) }
    let before = queue
    while queue.advance(to: at(100)) != nil {}
    for id in 0..<2_000 { queue.remove(id) }
    #expect(queue.count == 1_000 && before.count == 3_000)
    #expect(before.wakeUp == at(10)...at(10) && before[5]?.snapshot.deliveredCount == 0)
  }

  @Test func queuesAreValuesThemselves() throws {
    var inner = TimerQueue<Int, Repeater.Value>()
    inner.set(try timer(every: 10, .once), for: 1)
    var outer = TimerQueue<String, TimerQueue<Int, Repeater.Value>>()
    outer.set(inner, for: "a")
    outer["b"] = inner
    outer["b"]?[1]?.adjustTimeLeft(by: .nanoseconds(-5), at: at(0))
    #expect(outer.wakeUp == at(5)...at(5))
    var order: [String] = []
    while let next = outer.advance(to: at(10)) { order.append("\(next.id)\(next.delivery.id)") }
    #expect(order == ["b1", "a1"])
  }

  /// A value that is due for ever and delivers nothing.
  private struct Stuck: TimerValue {
    var wakeUp: ClosedRange<TimerClock.Instant>?
    mutating func advance(to now: TimerClock.Instant) -> Int? { nil }
  }

  @Test func aValueThatDeliversNothingEndsNoAdvance() {
    var queue = TimerQueue<Int, Stuck>()
    queue.set(Stuck(wakeUp: at(5)...at(5)), for: 1)
    #expect(queue.advance(to: at(7))?.id == nil)
    #expect(queue.advance(to: at(.max))?.id == nil)
  }

  @Test func valuesOfAnotherClockTrap() async {
    await #expect(processExitsWith: .failure) {
      var queue = TimerQueue<Int, Repeater.Value>()
      var timer = try Repeater.Value(interval: .seconds(1), clock: .continuous)
      timer.start(at: TimerClock.continuous.now)
      queue.set(timer, for: 1)
    }
  }

  // MARK: - Random use

  /// An identifier with few hash values.
  private struct ID: Hashable, Sendable {
    let number: Int
    func hash(into hasher: inout Hasher) { hasher.combine(number % 5) }
  }

  private enum Step: Sendable {
    case set(Int, interval: Int64, tolerance: Int64)
    case restart(Int)
    case adjust(Int, Int64)
    case fire(Int)
    case pause(Int)
    case remove(Int)
    case advance(Int64, most: Int)
    case copy
  }

  private func step(_ random: inout SplitMix) -> Step {
    let id = random.below(40)
    return switch random.below(16) {
    case 0...4: .set(id, interval: 1 + Int64(random.below(30)), tolerance: Int64(random.below(9)))
    case 5: .restart(id)
    case 6...7: .adjust(id, Int64(random.below(40)) - 20)
    case 8: .fire(id)
    case 9: .pause(id)
    case 10...11: .remove(id)
    case 12: .copy
    default: .advance(Int64(random.below(25)), most: random.below(60))
    }
  }

  /// The shortest use after which a queue differs from values in a dictionary.
  @Test func aQueueIsADictionaryWithAnOrder() {
    let failures = Fuzzing.failures(
      sequences: 600, steps: 20..<120, setup: { $0.below(3) == 0 }, step: { step(&$0) },
      failure: { hasManyFirst, steps in
        do {
          return try fault(hasManyFirst: hasManyFirst, steps)
        } catch {
          return "\(error)"
        }
      })
    #expect(failures == [])
  }

  private func fault(hasManyFirst: Bool, _ steps: [Step]) throws -> String? {
    var queue = TimerQueue<ID, Repeater.Value>()
    var model: [Int: Repeater.Value] = [:]
    var copies: [(TimerQueue<ID, Repeater.Value>, [Int: Repeater.Value])] = []
    var now: Int64 = 0
    if hasManyFirst {
      for id in 0..<40 {
        let timer = try timer(every: 5 + Int64(id % 3))
        queue.set(timer, for: ID(number: id))
        model[id] = timer
      }
    }
    for (index, step) in steps.enumerated() {
      switch step {
      case .set(let id, let interval, let tolerance):
        let timer = try timer(
          every: interval, interval % 3 == 0 ? .finite(2) : .infinite, tolerance: tolerance,
          startedAt: interval % 7 == 0 ? nil : now)
        queue.set(timer, for: ID(number: id))
        model[id] = timer
      case .restart(let id):
        queue[ID(number: id)]?.restart(at: at(now))
        model[id]?.restart(at: at(now))
      case .adjust(let id, let change):
        queue.update(ID(number: id)) { $0.adjustTimeLeft(by: .nanoseconds(change), at: at(now)) }
        model[id]?.adjustTimeLeft(by: .nanoseconds(change), at: at(now))
      case .fire(let id):
        queue[ID(number: id)]?.fire(at: at(now))
        model[id]?.fire(at: at(now))
      case .pause(let id):
        queue[ID(number: id)]?.pause(at: at(now))
        model[id]?.pause(at: at(now))
      case .remove(let id):
        let isEqual = queue.remove(ID(number: id)) == model.removeValue(forKey: id)
        guard isEqual else { return "step \(index): another value" }
      case .copy: copies.append((queue, model))
      case .advance(let time, let most):
        now += time
        for _ in 0..<most {
          // A request that a control has revoked is a wake-up without a delivery.
          let due = model.mapValues { withoutRevokedRequests($0, at: at(now)) }
          let earliest = due.values.compactMap { $0.wakeUp?.lowerBound }.min()
          let next = queue.advance(to: at(now))
          for (id, value) in due where queue[ID(number: id)] == value { model[id] = value }
          guard let next else {
            if let earliest, earliest <= at(now) { return "step \(index): not delivered" }
            break
          }
          let expected = due[next.id.number]?.wakeUp?.lowerBound
          guard expected == earliest else { return "step \(index): \(next.id) is not the first" }
          guard model[next.id.number]?.advance(to: at(now)) == next.delivery else {
            return "step \(index): another delivery \(next.delivery)"
          }
        }
      }
      if let difference = difference(queue, model) { return "step \(index): \(difference)" }
    }
    for (queue, model) in copies {
      if let difference = difference(queue, model) { return "a copy: \(difference)" }
    }
    return nil
  }

  private func withoutRevokedRequests(
    _ timer: Repeater.Value, at now: TimerClock.Instant
  ) -> Repeater.Value {
    var timer = timer
    let before = timer
    return timer.advance(to: now) == nil ? timer : before
  }

  private func difference(
    _ queue: TimerQueue<ID, Repeater.Value>, _ model: [Int: Repeater.Value]
  ) -> String? {
    guard queue.count == model.count else { return "\(queue.count) values, not \(model.count)" }
    for id in 0..<40 where queue[ID(number: id)] != model[id] { return "another value of \(id)" }
    let ranges = model.values.compactMap(\.wakeUp)
    let earliest = ranges.map(\.lowerBound).min()
    let latest = ranges.map(\.upperBound).min()
    guard queue.wakeUp?.lowerBound == earliest, queue.wakeUp?.upperBound == latest else {
      return "wake-up \(queue.wakeUp as Any), not \(earliest as Any), \(latest as Any)"
    }
    let valid = (queue.heap.entries + queue.heap.run).filter {
      queue[slot: $0.slot].ticket == $0.ticket
    }
    guard valid.count == ranges.count else { return "\(valid.count) valid entries" }
    guard queue.heap.count - valid.count == queue.outdatedCount else {
      return "\(queue.outdatedCount) outdated entries are counted"
    }
    guard queue.outdatedCount <= max(65, queue.heap.count / 2 + 1) else {
      return "\(queue.outdatedCount) outdated entries"
    }
    for entry in valid where (queue.wakeTime(of: entry.slot) ?? .min) < entry.time {
      return "an entry is later than its wake-up"
    }
    return nil
  }
}

/// Wake-ups of timers that are stored elsewhere.
@Suite struct WakeUpIndexTests {
  @Test func timersStoredElsewhere() throws {
    let clock = TimerClock.continuous
    let origin = clock.instant(nanoseconds: 0)
    var index = WakeUpIndex<Int>(clock: clock)
    var timers: [Int: Repeater.Value] = [:]
    for id in 1...50 {
      var timer = try Repeater.Value(
        interval: .seconds(id), mode: .finite(3), tolerance: .milliseconds(100), clock: clock)
      timer.start(at: origin)
      timers[id] = timer
      index.set(timer.wakeUp, for: id)
    }
    #expect(index.wakeUp == origin + .seconds(1)...origin + .milliseconds(1_100))
    #expect(index[50]?.lowerBound == origin + .seconds(50))
    timers[1]?.pause(at: origin)
    index.set(timers[1]?.wakeUp, for: 1)
    #expect(index.count == 49 && index[1] == nil)
    var fires = 0
    var now = origin
    while let next = index.wakeUp?.lowerBound {
      #expect(next >= now)
      now = next
      while let id = index.popFirst(through: now) {
        #expect(timers[id]?.wakeUp?.lowerBound == now)
        while timers[id]?.advance(to: now) != nil { fires += 1 }
        index.set(timers[id]?.wakeUp, for: id)
      }
    }
    #expect(fires == 49 * 3 && index.isEmpty)
  }
}
