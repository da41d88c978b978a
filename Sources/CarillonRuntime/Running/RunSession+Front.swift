import Dispatch
import TimerBoard
import TimerKit

/// Commands of other processes.
extension RunSession: FrontEnd {
  func show(_ reports: [Report]) {
    // After the response: a client may have ended the last timer.
    DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.endIfDone() } }
  }

  func boardChanged(reports: [Report]) {}

  func show(error: String) { warn(error) }

  func ring() {}

  /// A client cannot change the configuration of `carillon run`.
  func apply(_ configuration: Configuration) {}

  func end(newOwner: String?) { end(status) }
}
