import Dispatch

final class Heartbeat {
  private let source: any DispatchSourceTimer
  private var isSuspended = true

  init(send: @escaping @Sendable () -> Void) {
    source = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "heartbeat"))
    source.setEventHandler(handler: send)
    source.schedule(deadline: .now() + 30, repeating: 30)
  }

  deinit {
    source.cancel()
    if isSuspended { source.resume() }  // or the process ends here
  }

  func start() {
    guard isSuspended else { return }
    isSuspended = false
    source.resume()
  }

  func pause() {
    guard !isSuspended else { return }
    isSuspended = true
    source.suspend()
  }
}
