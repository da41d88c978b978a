import TimerKit

/// The bell of the terminal, which rings at most once a second.
@MainActor
final class Bell {
  var onRing: @MainActor () -> Void = {}
  private var repeater: Repeater?
  private var lastRing: TimerClock.Instant?

  /// A Boolean value that indicates whether the bell rings each second until a key is pressed or the alerts are acknowledged.
  var repeats: Bool { repeater != nil }

  /// Rings once, unless the bell repeats or its last ring was less than a second ago.
  func ring() {
    let now = TimerClock.suspending.now
    if let lastRing, lastRing.duration(to: now) < .seconds(1) { return }
    guard !repeats else { return }
    lastRing = now
    onRing()
  }

  func setRepeats(_ isOn: Bool) throws(TimerConfigurationError) {
    guard isOn != repeats else { return }
    repeater = nil
    guard isOn else { return }
    ring()
    repeater = try .every(.seconds(1), isolation: MainActor.shared) { [weak self] _, _ in
      self?.lastRing = TimerClock.suspending.now
      self?.onRing()
    }
  }
}
