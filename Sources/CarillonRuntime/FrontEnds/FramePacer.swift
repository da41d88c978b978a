import Dispatch
import TimerKit

/// A scheduler of frames, on the main queue. It draws requested frames, at most 60 per second, and a frame
/// whenever the contents change by themselves.
@MainActor
final class FramePacer {
  /// The clock that wakes the scheduler. Contents can change while the machine sleeps, and are then drawn as soon as it
  /// wakes.
  private static let clock = TimerClock.continuous
  private static let minimumGap = Duration.nanoseconds(1_000_000_000 / 60)

  /// Draws one frame.
  /// - Returns: The instant at which the contents change by themselves; `nil` if they do not.
  private let draw: @MainActor () -> TimerClock.Instant?
  private lazy var timer = DeadlineTimer(clock: Self.clock, isolation: MainActor.shared) {
    [weak self] _, _ in self?.frame()
  }
  private var lastFrame: TimerClock.Instant?
  private var isRequested = false
  /// The nanoseconds by which the clock is ahead of the suspending one. They change only while the machine sleeps, and are
  /// not measured anew for each frame: frames at regular times have regular deadlines, for which the timer's dispatch
  /// source repeats by itself. To schedule it for each frame would wake another thread.
  private var lead: Int64 = 0
  private static let leadTolerance: Int64 = 1_000_000

  init(draw: @escaping @MainActor () -> TimerClock.Instant?) {
    self.draw = draw
  }

  /// Requests a frame. Several requests before the next frame are merged into one.
  func request() {
    guard !isRequested else { return }
    isRequested = true
    let earliest = lastFrame?.advanced(by: Self.minimumGap)
    if let earliest, earliest > TimerClock.suspending.now {
      schedule(at: earliest)
    } else {
      DispatchQueue.main.async { [weak self] in
        // Unless a scheduled frame has been drawn since.
        if self?.isRequested == true { self?.frame() }
      }
    }
  }

  /// Schedules a frame.
  /// - Parameter instant: An instant of the suspending clock.
  private func schedule(at instant: TimerClock.Instant) {
    // Read first, so that the frame is not early.
    let suspending = TimerClock.suspending.now.nanoseconds
    let measured = Self.clock.now.nanoseconds.subtractingSaturated(suspending)
    if abs(measured.subtractingSaturated(lead)) > Self.leadTolerance { lead = measured }
    timer.schedule(at: Self.clock.instant(nanoseconds: instant.nanoseconds.addingSaturated(lead)))
  }

  private func frame() {
    isRequested = false
    let now = TimerClock.suspending.now
    lastFrame = now
    let next = draw()
    let earliest = now.advanced(by: Self.minimumGap)
    if isRequested {
      schedule(at: earliest)
    } else if let next {
      schedule(at: max(next, earliest))
    } else {
      timer.unschedule()
    }
  }
}
