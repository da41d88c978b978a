import TimerKit

final class Heartbeat: Sendable {
  private let timer: Repeater

  init(send: @escaping @Sendable () -> Void) throws {
    timer = try Repeater(
      interval: .seconds(30), tolerance: .seconds(3), clock: .continuous
    ) { _, _ in
      send()
    }
  }

  func start() { timer.start() }
  func pause() { timer.pause() }
}
