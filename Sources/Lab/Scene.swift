import Dashboard
import TimerKit

/// A demonstration: what it is about, and how to perform it.
package struct Scene: Sendable {
  /// What one types to see it.
  package let id: String
  /// What it is about, in half a line.
  package let about: String
  /// What to look for: three sentences.
  package let look: [String]
  /// The keys of its own, besides those of every scene.
  let keys: [LabFrame.KeyHint]
  let legend: [LabFrame.LegendEntry]
  let exhibits: [Exhibit]
  /// How long its script takes, about; `nil` on virtual time, which takes none.
  package var duration: Duration?
  let open: @Sendable () -> any Performance

  /// The list of scenes: menu, `--list` and tests are made from it.
  package static let all: [Scene] = [
    .modes, .observers, .interval, .countdown, .debounce, .throttle, .background, .buffer, .session,
    .fiveWays, .missed, .clocks, .accuracy,
  ]

  package static func named(_ id: String) -> Scene? {
    all.first { $0.id == id }
  }
}

/// A scene under way.
protocol Performance {
  /// Does what a key asks for; those that mean nothing to it are passed over.
  mutating func perform(_ command: LabCommand, at now: TimerClock.Instant)

  /// What it shows.
  mutating func picture(at now: TimerClock.Instant) -> Picture

  /// When the picture next changes by itself; `nil` where it never does.
  func staleAt(_ now: TimerClock.Instant) -> TimerClock.Instant?

  /// What of the scene's code belongs to what is shown; `nil` is all of it.
  var exhibits: [Exhibit]? { get }

  /// Plays the whole script before it returns. On virtual time that takes none; a scene on real
  /// time takes what it takes.
  mutating func playOut()
}

extension Performance {
  var exhibits: [Exhibit]? { nil }
}

/// What a performance contributes to a frame.
struct Picture {
  var blocks: [LabFrame.Block]
  var status: LabFrame.Status
  /// The keys of every scene of its kind.
  var keys: [LabFrame.KeyHint]
}
