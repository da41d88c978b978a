import TimerKit

final class Heartbeat {
  private let timer: Repeater
  private var isSuspended = true

  init(send: @escaping @Sendable () -> Void) throws {
    timer = try Repeater(interval: .seconds(30)) { _, _ in send() }
  }

  deinit {
    timer.cancel()
  }

  func start() {
    guard isSuspended else { return }
    isSuspended = false
    timer.start()
  }

  func pause() {
    guard !isSuspended else { return }
    isSuspended = true
    timer.pause()
  }
}
