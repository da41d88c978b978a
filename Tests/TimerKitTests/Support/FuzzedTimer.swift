import Fuzzing

@testable import TimerKit

/// A random use of a timer. Every kind maps it to one of its own controls.
struct TimerUse: Sendable {
  let timer: Int
  let verb: Int
  let duration: Duration
  let count: Int
  let flag: Bool

  init(_ random: inout SplitMix) {
    timer = random.below(4)
    verb = random.below(10)
    duration = random.duration()
    count = random.below(6) == 0 ? Int(random.edge()) : random.below(6)
    flag = random.below(2) == 0
  }
}

/// A timer of any kind, with its observable properties.
struct FuzzedTimer: Sendable {
  /// Performs a use and returns the result of the control.
  let use: @Sendable (TimerUse) -> String
  /// A description of the snapshot.
  let text: @Sendable () -> String
  /// A fault in the timer's properties, or `nil`.
  let fault: @Sendable () -> String?
}

/// The parameters of a random timer.
struct TimerRecipe: Sendable {
  let kind: Int
  let duration: Duration
  let other: Duration
  let tolerance: Duration
  let count: Int
  let choice: Int

  init(_ random: inout SplitMix) {
    kind = random.below(8)
    duration = random.duration()
    other = random.duration()
    tolerance = random.below(3) == 0 ? random.duration() : .zero
    count = random.below(6) == 0 ? Int(random.edge()) : 1 + random.below(6)
    choice = random.below(12)
  }

  /// Limits the deliveries of a short interval, which would otherwise take too long over a century.
  private static let maximumDeliveryCount = 40

  /// - Parameters:
  ///   - report: called with every event.
  ///   - delivered: called by the handler.
  func make(
    on clock: VirtualClock, report: @escaping @Sendable (String) -> Void,
    delivered: @escaping @Sendable () -> Void
  ) -> FuzzedTimer? {
    do {
      switch kind {
      case 0...1: return try repeater(clock, report, delivered)
      case 2: return try countdown(clock, report, delivered)
      case 3: return try cycle(clock, report, delivered)
      case 4: return stopwatch(clock, report, delivered)
      case 5: return try limited(clock, report, delivered)
      case 6:
        return limiter(
          try Debouncer<Int>(
            delay: duration, edges: DebounceEdges.allCases[choice % DebounceEdges.allCases.count],
            maxWait: choice < 6 ? nil : other, tolerance: tolerance, clock: .virtual(clock)
          ) { _, value in
            report("handler \(value)")
            delivered()
          }, report)
      default:
        return limiter(
          try Throttler<Int>(
            interval: duration, mode: choice < 6 ? .fromDelivery : .deferred,
            keeping: KeptValue.allCases[choice % KeptValue.allCases.count],
            tolerance: tolerance, clock: .virtual(clock)
          ) { _, value in
            report("handler \(value)")
            delivered()
          }, report)
      }
    } catch {
      report("\(error)")
      return nil
    }
  }

  private var policy: Repeater.MissedTicks {
    switch choice % 3 {
    case 0: .skip
    case 1: .delay
    default: .burst(limit: count)
    }
  }

  private func repeater(
    _ clock: VirtualClock, _ report: @escaping @Sendable (String) -> Void,
    _ delivered: @escaping @Sendable () -> Void
  ) throws -> FuzzedTimer {
    let handled = Recorder<Repeater.Tick>()
    let mode: Repeater.Mode = choice < 4 ? .once : choice < 8 ? .infinite : .finite(count)
    let timer = try Repeater(
      interval: duration, mode: mode, tolerance: tolerance, missedTicks: policy,
      clock: .virtual(clock)
    ) { timer, tick in
      report("handler \(tick)")
      handled.append(tick)
      delivered()
      if handled.count >= Self.maximumDeliveryCount { timer.cancel() }
    }
    observe(timer, report)
    return FuzzedTimer { use in
      switch use.verb {
      case 0...1: "\(timer.start())"
      case 2: "\(timer.pause())"
      case 3:
        use.flag
          ? "\(timer.restart(every: use.duration))"
          : "\(use.count > 2 ? timer.restart() : timer.reset())"
      case 4:
        "\(timer.setInterval(use.duration, counting: use.flag ? .fromLastFire : .fromNextFire))"
      case 5: "\(timer.adjustTimeLeft(by: use.duration))"
      case 6:
        "\(timer.setRemainingIterations(use.count))"
      case 7...8: "\(timer.fire(pausing: use.flag))"
      default: use.count == 0 ? "\(timer.cancel())" : restored(timer.checkpoint, on: clock)
      }
    } text: {
      "\(timer.snapshot)"
    } fault: {
      handled.all.contains { $0.lateness < .zero }
        ? "early"
        : FuzzedTimer.fault(timer.snapshot, timeLeft: timer.timeLeft, handled: handled.count)
    }
  }

  private func countdown(
    _ clock: VirtualClock, _ report: @escaping @Sendable (String) -> Void,
    _ delivered: @escaping @Sendable () -> Void
  ) throws -> FuzzedTimer {
    let handled = Recorder<Void>()
    let timer = try Countdown(
      from: count, every: duration, tolerance: tolerance, missedSteps: policy,
      clock: .virtual(clock)
    ) { timer, left in
      report("handler \(left)")
      handled.append(())
      delivered()
      if handled.count >= Self.maximumDeliveryCount { timer.cancel() }
    }
    observe(timer, report)
    return FuzzedTimer { use in
      switch use.verb {
      case 0...2: "\(timer.start())"
      case 3: "\(timer.pause())"
      case 4: "\(use.flag ? timer.restart() : timer.reset())"
      case 5:
        "\(timer.setInterval(use.duration))"
      case 6: "\(timer.adjustTimeLeft(by: use.duration))"
      case 7:
        "\(timer.setRemainingSteps(use.count))"
      default: "\(timer.step(pausing: use.flag))"
      }
    } text: {
      "\(timer.snapshot)"
    } fault: {
      FuzzedTimer.fault(timer.snapshot, timeLeft: timer.timeLeft, handled: handled.count)
    }
  }

  private func cycle(
    _ clock: VirtualClock, _ report: @escaping @Sendable (String) -> Void,
    _ delivered: @escaping @Sendable () -> Void
  ) throws -> FuzzedTimer {
    let handled = Recorder<Void>()
    let phases = [duration, other, duration].prefix(1 + choice % 3).map { Cycle.Phase("p", $0) }
    let timer = try Cycle(
      phases, rounds: choice < 6 ? nil : count, includesFinalRest: choice.isMultiple(of: 2),
      tolerance: tolerance, clock: .virtual(clock)
    ) { timer, tick in
      report("handler \(tick)")
      handled.append(())
      delivered()
      if handled.count >= Self.maximumDeliveryCount { timer.cancel() }
    }
    observe(timer, report)
    return FuzzedTimer { use in
      switch use.verb {
      case 0...3: "\(timer.start())"
      case 4: "\(timer.pause())"
      case 5: "\(use.flag ? timer.restart() : timer.reset())"
      case 6: "\(timer.adjustTimeLeft(by: use.duration))"
      case 7:
        resultText { () throws(RestoreError) in
          try Cycle(
            restoring: timer.checkpoint, policy: use.flag ? .catchUp : .keepTimeLeft,
            clock: .virtual(clock)
          ) { _, _ in }.snapshot
        }
      default: "\(timer.skip())"
      }
    } text: {
      "\(timer.snapshot)"
    } fault: {
      let snapshot = timer.snapshot
      return FuzzedTimer.fault(
        timer.timeLeft, snapshot.deliveredCount, handled: handled.count,
        isRunning: snapshot.state == .running, deadline: snapshot.deadline)
    }
  }

  private func stopwatch(
    _ clock: VirtualClock, _ report: @escaping @Sendable (String) -> Void,
    _ delivered: @escaping @Sendable () -> Void
  ) -> FuzzedTimer {
    let timer = Stopwatch(clock: .virtual(clock)) { _, mark in
      report("handler \(mark)")
      delivered()
    }
    observe(timer, report)
    return FuzzedTimer { use in
      switch use.verb {
      case 0...2: "\(timer.start())"
      case 3: "\(timer.pause())"
      case 4: "\(use.flag ? timer.restart() : timer.reset())"
      case 5...6:
        "\(timer.setAlarm(at: use.flag ? use.duration : nil))"
      case 7:
        resultText { () throws(RestoreError) in
          try Stopwatch(
            restoring: timer.checkpoint, policy: use.flag ? .catchUp : .keepTimeLeft,
            clock: .virtual(clock)
          ).snapshot
        }
      default: "\(String(describing: timer.lap()))"
      }
    } text: {
      "\(timer.snapshot)"
    } fault: {
      let laps = timer.laps
      let sum = laps.last?.total ?? .zero
      guard timer.elapsed >= .zero, laps.allSatisfy({ $0.time >= .zero }) else {
        return "negative time: \(timer.snapshot)"
      }
      return timer.elapsed >= sum ? nil : "laps longer than the total: \(timer.snapshot)"
    }
  }

  private func limited(
    _ clock: VirtualClock, _ report: @escaping @Sendable (String) -> Void,
    _ delivered: @escaping @Sendable () -> Void
  ) throws -> FuzzedTimer {
    let timer = try TimeLimited(0, for: duration, tolerance: tolerance, clock: .virtual(clock)) {
      _, value in
      report("expires \(value)")
      delivered()
    }
    observe(timer, report)
    return FuzzedTimer { use in
      switch use.verb {
      case 0...1: "\(String(describing: timer.value))"
      case 2: resultText { () throws(TimeLimitedError) in try timer.renew() }
      case 3: resultText { () throws(TimeLimitedError) in try timer.renew(for: use.duration) }
      case 4:
        resultText { () throws(TimeLimitedError) in
          String(describing: try timer.replace(with: use.count, for: use.duration))
        }
      case 5: "\(String(describing: timer.take()))"
      case 6 where use.count == 0: "\(timer.cancel())"
      default: "\(String(describing: timer.replace(with: use.count)))"
      }
    } text: {
      "\(timer.snapshot)"
    } fault: {
      if let left = timer.timeLeft, left < .zero { return "negative time: \(timer.snapshot)" }
      return nil
    }
  }

  private func limiter(
    _ timer: some CallLimiter<Int>, _ report: @escaping @Sendable (String) -> Void
  ) -> FuzzedTimer {
    observe(timer, report)
    return FuzzedTimer { use in
      switch use.verb {
      case 0...6: "\(timer.call(use.count))"
      case 7: "\(timer.flush())"
      case 8 where use.count == 0: "\(timer.cancel())"
      default: "\(timer.cancelPending())"
      }
    } text: {
      "\(timer.snapshot)"
    } fault: {
      let snapshot = timer.snapshot
      let isSound =
        snapshot.droppedCount >= 0 && snapshot.pendingCount >= 0
        && snapshot.deliveredCount <= snapshot.callCount
      return isSound ? nil : "miscounted: \(snapshot)"
    }
  }
}

extension FuzzedTimer {
  static func fault(
    _ snapshot: Repeater.Snapshot, timeLeft: Duration?, handled: Int
  ) -> String? {
    if let left = snapshot.remainingIterations, left < 0 { return "negative count: \(snapshot)" }
    if snapshot.missedCount < 0 { return "negative missed: \(snapshot)" }
    return fault(
      timeLeft, snapshot.deliveredCount, handled: handled,
      isRunning: snapshot.state == .running, deadline: snapshot.deadline)
  }

  static func fault(
    _ timeLeft: Duration?, _ deliveredCount: Int, handled: Int, isRunning: Bool,
    deadline: TimerClock.Instant?
  ) -> String? {
    if let timeLeft, timeLeft < .zero { return "negative time left" }
    if deliveredCount != handled { return "\(deliveredCount) delivered, \(handled) handled" }
    return isRunning == (deadline != nil) ? nil : "runs without a deadline, or has one and does not"
  }
}

private func observe<Timer: ObservableTimer>(
  _ timer: Timer, _ report: @escaping @Sendable (String) -> Void
) {
  timer.observe { _, event in report("\(event)") }
}

/// A timer that is restored immediately with its time left equals the original.
private func restored(
  _ checkpoint: Repeater.Checkpoint, on clock: VirtualClock
) -> String {
  resultText { () throws(RestoreError) in
    let catchUp = try Repeater(restoring: checkpoint, clock: .virtual(clock)) { _, _ in }.snapshot
    let keepTimeLeft = try Repeater(
      restoring: checkpoint, policy: .keepTimeLeft, clock: .virtual(clock)
    ) {
      _, _ in
    }.snapshot
    return "\(catchUp) \(keepTimeLeft)"
  }
}
