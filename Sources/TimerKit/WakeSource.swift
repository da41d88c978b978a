import Dispatch

/// The one dispatch source of a driver. The driver's mutex guards it.
///
/// It is activated at once and never suspended: releasing a suspended or inactive source kills the
/// process. Scheduling it costs wake-ups of its own, a repeating source none; so it repeats with
/// the last gap, and is left alone where its next fire is one that is wanted.
struct WakeSource {
  /// Deadlines closer than this to the end of a wake are served together.
  private static let floor: Int64 = 50_000

  private let source: any DispatchSourceTimer
  /// When it fires next, or has fired if that is past; the farthest instant: not at all.
  private var at: Int64 = .max
  /// 0: it does not repeat.
  private var gap: Int64 = 0

  init(queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler(handler: handler)
    source.schedule(deadline: .distantFuture)
    source.activate()
  }

  func cancel() { source.cancel() }

  /// Between wakes: an alarm has to ring at `latest`.
  mutating func wake(by latest: Int64) {
    if latest < at { schedule(at: latest, gap: 0) }
  }

  /// At the end of a wake: the next one is wanted within these bounds.
  mutating func wake(within wanted: (earliest: Int64, latest: Int64)?, now: Int64) {
    let last = at
    if at <= now {
      at = gap > 0 ? at.addingSaturated(((now - at) / gap + 1) * gap) : .max
    }
    guard let wanted else {
      if at != .max { schedule(at: .max, gap: 0) }
      return
    }
    let latest = max(wanted.latest, now.addingSaturated(Self.floor))
    if at < wanted.earliest || at > latest {
      schedule(at: latest, gap: last <= now ? latest - last : 0)
    }
  }

  private mutating func schedule(at time: Int64, gap: Int64) {
    at = time
    self.gap = gap
    source.schedule(
      deadline: time == .max ? .distantFuture : DispatchTime(uptimeNanoseconds: UInt64(time)),
      repeating: gap == 0 ? .never : .nanoseconds(Int(gap)), leeway: .nanoseconds(0))
  }
}
