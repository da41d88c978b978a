import TimerKit

final class Heartbeat: Sendable {
  private let timer: Repeater

  init(send: @escaping @Sendable () -> Void) throws {
    timer = try Repeater(
      interval: .seconds(30), tolerance: .seconds(3), clock: .continuous
    ) { _, tick in
      if tick.missedCount > 0 {
        print("\(tick.missedCount) heartbeats missed, \(tick.lateness) late")
      }
      send()
    }
  }

  func start() { timer.start() }
  func pause() { timer.pause() }

  func setInterval(_ interval: Duration) throws {
    timer.setInterval(interval, counting: .fromLastFire)
  }
}
