import Dashboard
import TimerKit

/// A player of the guided tour, on the main queue: it plays each event of the script at its time.
@MainActor
final class TourPlayer {
  private var events: ArraySlice<(after: Duration, event: Tour.Event)>
  private let play: @MainActor (Tour.Event) -> Void
  private lazy var timer = DeadlineTimer(clock: .continuous, isolation: MainActor.shared) {
    [weak self] _, _ in self?.playNext()
  }

  init(_ tour: Tour, play: @escaping @MainActor (Tour.Event) -> Void) {
    events = tour.events[...]
    self.play = play
    scheduleNext()
  }

  private func scheduleNext() {
    guard let next = events.first else { return }
    timer.schedule(at: TimerClock.continuous.now.advanced(by: next.after))
  }

  private func playNext() {
    guard let event = events.popFirst()?.event else { return }
    // Scheduled first, because the event can end the tour and release this player.
    scheduleNext()
    play(event)
  }
}
