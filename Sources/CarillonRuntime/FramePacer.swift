import Dispatch
import TimerKit

/// A scheduler of frames, on the main queue. It draws requested frames, at most 60 per second, and a frame
/// whenever the contents change by themselves.
@MainActor
final class FramePacer {
  private static let minimumGap = Duration.nanoseconds(1_000_000_000 / 60)

  /// Draws one frame.
  /// - Returns: The instant at which the contents change by themselves; `nil` if they do not.
  private let draw: @MainActor () -> TimerClock.Instant?
  private var timer: DeadlineTimer?
  private var lastFrame: TimerClock.Instant?
  private var isRequested = false

  init(draw: @escaping @MainActor () -> TimerClock.Instant?) {
    self.draw = draw
    timer = DeadlineTimer(isolation: MainActor.shared) { [weak self] _, _ in self?.frame() }
  }

  /// Requests a frame. Several requests before the next frame are merged into one.
  func request() {
    guard !isRequested else { return }
    isRequested = true
    let earliest = lastFrame?.advanced(by: Self.minimumGap)
    if let earliest, earliest > TimerClock.suspending.now {
      timer?.schedule(at: earliest)
    } else {
      DispatchQueue.main.async { [weak self] in self?.frameIfRequested() }
    }
  }

  /// Draws the requested frame, unless a scheduled frame has been drawn since.
  private func frameIfRequested() {
    if isRequested { frame() }
  }

  private func frame() {
    isRequested = false
    let now = TimerClock.suspending.now
    lastFrame = now
    let next = draw()
    let earliest = now.advanced(by: Self.minimumGap)
    if isRequested {
      timer?.schedule(at: earliest)
    } else if let next {
      timer?.schedule(at: max(next, earliest))
    } else {
      timer?.unschedule()
    }
  }
}
