import Dispatch

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The one dispatch source of a driver. The driver's mutex guards it.
///
/// It is activated at once and never suspended: releasing a suspended or inactive source kills the
/// process.
struct WakeSource {
  private enum Kind {
    case uptime(any DispatchSourceTimer)
    case wall(any DispatchSourceTimer)
    /// For the clocks that dispatch's own timers do not follow, or not when they are set.
    case descriptor(ClockDescriptor, any DispatchSourceRead)
    /// In place of a descriptor where the process has none left: it rings by uptime, and often
    /// enough to find out that the clock has moved on without it.
    case substitute(any DispatchSourceTimer, TimerClock.Kind)
  }

  private let kind: Kind

  init(clock: TimerClock.Kind, queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
    if Self.needsDescriptor(clock) {
      guard let descriptor = ClockDescriptor(clock) else {
        kind = .substitute(Self.timer(queue, handler), clock)
        return
      }
      let source = DispatchSource.makeReadSource(
        fileDescriptor: descriptor.number, queue: queue)
      source.setEventHandler {
        descriptor.drain()
        handler()
      }
      // Closed under a source that still watches it, another file's events could be taken for its.
      source.setCancelHandler { descriptor.close() }
      source.activate()
      kind = .descriptor(descriptor, source)
    } else {
      let timer = Self.timer(queue, handler)
      kind = clock == .wall ? .wall(timer) : .uptime(timer)
    }
  }

  /// Whether it can go on along a gap by itself.
  static func repeats(_ clock: TimerClock.Kind) -> Bool { clock == .uptime }

  private static func needsDescriptor(_ clock: TimerClock.Kind) -> Bool {
    #if canImport(Darwin)
      clock == .boot
    #else
      clock != .uptime
    #endif
  }

  private static func timer(
    _ queue: DispatchQueue, _ handler: @escaping @Sendable () -> Void
  ) -> any DispatchSourceTimer {
    let source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler(handler: handler)
    source.schedule(deadline: .distantFuture)
    source.activate()
    return source
  }

  func cancel() {
    switch kind {
    case .uptime(let source), .wall(let source), .substitute(let source, _): source.cancel()
    case .descriptor(_, let source): source.cancel()
    }
  }

  func follow(_ schedule: WakePlan.Schedule) {
    let isNever = schedule.at == .max
    switch kind {
    case .uptime(let source):
      source.schedule(
        deadline: isNever
          ? .distantFuture : DispatchTime(uptimeNanoseconds: UInt64(schedule.at)),
        repeating: schedule.gap == 0 ? .never : .nanoseconds(Int(schedule.gap)),
        leeway: .nanoseconds(0))
    case .wall(let source):
      source.schedule(
        wallDeadline: isNever ? .distantFuture : DispatchWallTime(timespec: timespec(schedule.at)),
        leeway: .nanoseconds(0))
    case .descriptor(let descriptor, _):
      descriptor.ring(at: schedule.at)
    case .substitute(let source, let clock):
      let wait = schedule.at.subtractingSaturated(clock.now)
      source.schedule(
        deadline: isNever
          ? .distantFuture : .now() + .nanoseconds(Int(min(max(0, wait), Self.longestGuess))),
        leeway: .nanoseconds(0))
    }
  }

  private static let longestGuess: Int64 = 1_000_000_000
}

extension timespec {
  fileprivate init(_ nanoseconds: Int64) {
    self.init(
      tv_sec: Int(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
  }
}
