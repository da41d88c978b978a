import Dispatch
import TimerKit

/// Decides when the next frame is drawn: at most 60 per second on request, otherwise when the picture changes
/// by itself, otherwise not at all. On the main queue.
@MainActor
final class FramePacer {
  private static let shortestGap = Duration.nanoseconds(1_000_000_000 / 60)

  /// Draws one frame.
  /// - Returns: the instant at which the next one differs by itself.
  private let draw: @MainActor () -> TimerClock.Instant?
  private var timer: DeadlineTimer?
  private var lastFrame: TimerClock.Instant?
  private var isRequested = false

  init(draw: @escaping @MainActor () -> TimerClock.Instant?) {
    self.draw = draw
    timer = DeadlineTimer(isolation: MainActor.shared) { [weak self] _, _ in self?.frame() }
  }

  /// Requests a frame; any number of requests before the next one make one.
  func request() {
    guard !isRequested else { return }
    isRequested = true
    let earliest = lastFrame?.advanced(by: Self.shortestGap)
    if let earliest, earliest > TimerClock.suspending.now {
      timer?.schedule(at: earliest)
    } else {
      DispatchQueue.main.async { [weak self] in self?.frameIfRequested() }
    }
  }

  /// Draws the requested frame, unless a frame that was due by itself has come first.
  private func frameIfRequested() {
    if isRequested { frame() }
  }

  private func frame() {
    isRequested = false
    let now = TimerClock.suspending.now
    lastFrame = now
    let next = draw()
    let earliest = now.advanced(by: Self.shortestGap)
    if isRequested {
      timer?.schedule(at: earliest)
    } else if let next {
      timer?.schedule(at: max(next, earliest))
    } else {
      timer?.unschedule()
    }
  }
}
