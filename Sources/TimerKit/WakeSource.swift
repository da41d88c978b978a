import Dispatch

/// The one dispatch source of a driver. The driver's mutex guards it.
///
/// It is activated at once and never suspended: releasing a suspended or inactive source kills the
/// process.
struct WakeSource {
  private let source: any DispatchSourceTimer

  init(queue: DispatchQueue, handler: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(queue: queue)
    source.setEventHandler(handler: handler)
    source.schedule(deadline: .distantFuture)
    source.activate()
  }

  func cancel() { source.cancel() }

  func follow(_ schedule: WakePlan.Schedule) {
    source.schedule(
      deadline: schedule.at < .max
        ? DispatchTime(uptimeNanoseconds: UInt64(schedule.at)) : .distantFuture,
      repeating: schedule.gap == 0 ? .never : .nanoseconds(Int(schedule.gap)),
      leeway: .nanoseconds(0))
  }
}
