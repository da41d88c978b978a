import Dispatch
import TimerKit

/// Decides when the next frame is drawn: at most 60 a second when something asks for one, else when
/// the picture changes by itself, else not at all. On the main queue.
@MainActor
final class FramePacer {
  private static let shortestGap = Duration.nanoseconds(1_000_000_000 / 60)

  /// Draws one frame, and answers when the picture next changes by itself.
  private let draw: @MainActor () -> TimerClock.Instant?
  private var alarm: DeadlineTimer?
  private var lastFrame: TimerClock.Instant?
  private var isAsked = false

  init(draw: @escaping @MainActor () -> TimerClock.Instant?) {
    self.draw = draw
    alarm = DeadlineTimer(isolation: MainActor.shared) { [weak self] _, _ in self?.frame() }
  }

  /// Asks for a frame; any number of asks before the next one make one.
  func ask() {
    guard !isAsked else { return }
    isAsked = true
    let earliest = lastFrame?.advanced(by: Self.shortestGap)
    if let earliest, earliest > TimerClock.suspending.now {
      alarm?.schedule(at: earliest)
    } else {
      DispatchQueue.main.async { [weak self] in self?.frameIfAsked() }
    }
  }

  /// A frame that was due by itself may have come first, and shows what was asked for too.
  private func frameIfAsked() {
    if isAsked { frame() }
  }

  private func frame() {
    isAsked = false
    let now = TimerClock.suspending.now
    lastFrame = now
    let next = draw()
    let earliest = now.advanced(by: Self.shortestGap)
    if isAsked {
      alarm?.schedule(at: earliest)
    } else if let next {
      alarm?.schedule(at: max(next, earliest))
    } else {
      alarm?.unschedule()
    }
  }
}
