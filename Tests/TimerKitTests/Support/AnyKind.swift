import Dispatch
import Fuzzing

@testable import TimerKit

/// A timer of any kind, for tests that every kind must pass: it is created and used at random, also in
/// its own handlers.
struct AnyKind: Sendable {
  /// Calls a random control.
  let use: @Sendable (inout SplitMix) -> Void
  /// Cancels the timer and waits for running handlers. Returns the number of deliveries.
  let end: @Sendable () -> Int
  /// Cancels the timer without waiting.
  let cancel: @Sendable () -> Void
  let deliveredCount: @Sendable () -> Int
}

enum Kind: String, CaseIterable, Sendable {
  case countdown, cycle, stopwatch, background, timeLimited

  /// - Parameters:
  /// - handled: called by every handler. Returns true if the handler is to use the timer.
  func make(
    on queue: DispatchQueue, handled: @escaping @Sendable () -> Bool
  ) throws -> AnyKind {
    switch self {
    case .countdown: try countdown(queue, handled)
    case .cycle: try cycle(queue, handled)
    case .stopwatch: stopwatch(queue, handled)
    case .background: background(queue, handled)
    case .timeLimited: try timeLimited(queue, handled)
    }
  }

  private func countdown(
    _ queue: DispatchQueue, _ handled: @escaping @Sendable () -> Bool
  ) throws -> AnyKind {
    @Sendable func use(_ timer: Countdown, _ random: inout SplitMix) {
      switch random.below(12) {
      case 0...2: timer.start()
      case 3: timer.pause()
      case 4: _ = random.below(2) == 0 ? timer.restart() : timer.reset()
      case 5: timer.setInterval(.microseconds(1 + random.below(50)))
      case 6: timer.setRemainingSteps(1 + random.below(9))
      case 7...8: timer.step(pausing: random.below(4) == 0)
      case 9: observeBriefly(timer)
      case 10: _ = timer.isCurrent(.ofGeneration(timer.snapshot.generation))
      default: timer.adjustTimeLeft(by: .microseconds(random.below(100) - 50))
      }
    }
    let timer = try Countdown(from: 5, every: .microseconds(20), queue: queue) { timer, left in
      guard handled() else { return }
      var random = SplitMix(state: UInt64(left))
      use(timer, &random)
    }
    return AnyKind(
      use: { use(timer, &$0) },
      end: {
        timer.cancelAndWait()
        return timer.snapshot.deliveredCount
      }, cancel: { timer.cancel() }, deliveredCount: { timer.snapshot.deliveredCount })
  }

  private func cycle(
    _ queue: DispatchQueue, _ handled: @escaping @Sendable () -> Bool
  ) throws -> AnyKind {
    @Sendable func use(_ timer: Cycle, _ random: inout SplitMix) {
      switch random.below(10) {
      case 0...2: timer.start()
      case 3: timer.pause()
      case 4: _ = random.below(2) == 0 ? timer.restart() : timer.reset()
      case 5...6: timer.skip()
      case 7: observeBriefly(timer)
      case 8: _ = timer.snapshot.lastTick.map(timer.isCurrent)
      default: timer.adjustTimeLeft(by: .microseconds(random.below(100) - 50))
      }
    }
    let phases: [Cycle.Phase] = [.init("a", .microseconds(15)), .init("b", .microseconds(5))]
    let timer = try Cycle(phases, rounds: 9, queue: queue) { timer, tick in
      guard handled() else { return }
      var random = SplitMix(state: UInt64(tick.round))
      use(timer, &random)
    }
    return AnyKind(
      use: { use(timer, &$0) },
      end: {
        timer.cancelAndWait()
        return timer.snapshot.deliveredCount
      }, cancel: { timer.cancel() }, deliveredCount: { timer.snapshot.deliveredCount })
  }

  private func stopwatch(
    _ queue: DispatchQueue, _ handled: @escaping @Sendable () -> Bool
  ) -> AnyKind {
    @Sendable func use(_ timer: Stopwatch, _ random: inout SplitMix) {
      switch random.below(10) {
      case 0...2: timer.start()
      case 3: timer.pause()
      case 4: _ = random.below(2) == 0 ? timer.restart() : timer.reset()
      case 5...6: timer.lap()
      case 7: observeBriefly(timer)
      case 8: _ = timer.elapsed
      default: timer.setAlarm(at: .microseconds(1 + random.below(100)))
      }
    }
    let timer = Stopwatch(queue: queue) { timer, mark in
      guard handled(), case .alarm = mark else { return }
      var random = SplitMix(state: UInt64(timer.laps.count))
      use(timer, &random)
    }
    return AnyKind(
      use: { use(timer, &$0) },
      end: {
        timer.cancelAndWait()
        return timer.snapshot.deliveredCount
      }, cancel: { timer.cancel() }, deliveredCount: { timer.snapshot.deliveredCount })
  }

  private func background(
    _ queue: DispatchQueue, _ handled: @escaping @Sendable () -> Bool
  ) -> AnyKind {
    let owner = Owner()
    @Sendable func use(_ timer: BackgroundTimer<Owner>, _ random: inout SplitMix) {
      switch random.below(9) {
      case 0...5:
        let next = UInt64(random.below(1000))
        timer.perform(after: .microseconds(random.below(30))) { [weak timer] _ in
          guard handled(), let timer else { return }
          var random = SplitMix(state: next)
          use(timer, &random)
        }
      case 6: observeBriefly(timer)
      case 7: timer.performExclusively { _ = timer.isPending }
      default: timer.cancelPending()
      }
    }
    let timer = BackgroundTimer(for: owner, queue: queue)
    return AnyKind(
      use: { random in withExtendedLifetime(owner) { use(timer, &random) } },
      end: {
        timer.performExclusively {
          timer.cancel()
          return timer.snapshot.deliveredCount
        }
      }, cancel: { timer.cancel() }, deliveredCount: { timer.snapshot.deliveredCount })
  }

  private func timeLimited(
    _ queue: DispatchQueue, _ handled: @escaping @Sendable () -> Bool
  ) throws -> AnyKind {
    @Sendable func use(_ timer: TimeLimited<Int>, _ random: inout SplitMix) {
      switch random.below(10) {
      case 0...2: _ = timer.value
      case 3...4: _ = try? timer.renew()
      case 5: _ = timer.take()
      case 6: observeBriefly(timer)
      default: timer.replace(with: random.below(1000))
      }
    }
    let timer = try TimeLimited(0, for: .microseconds(20), queue: queue) { timer, value in
      guard handled() else { return }
      var random = SplitMix(state: UInt64(value))
      use(timer, &random)
    }
    return AnyKind(
      use: { use(timer, &$0) },
      end: {
        timer.cancel()
        return timer.snapshot.expiredCount
      }, cancel: { timer.cancel() },
      deliveredCount: { timer.snapshot.expiredCount })
  }
}

/// Adds an observer and removes it again.
private func observeBriefly<Timer: ObservableTimer>(_ timer: Timer) {
  let token = timer.observe { _, _ in }
  timer.onStateChanged = { _, _, _ in }
  _ = timer.events(bufferingNewest: 2)
  _ = timer.state
  timer.removeObserver(token)
  timer.onStateChanged = nil
}
