package import Dashboard
import TimerKit

/// A demonstration of one behavior of timers.
package struct Scene: Sendable {
  /// The name of the scene on the command line.
  package let name: String
  /// The subject, in at most half a line of the menu.
  package let about: String
  /// Paragraphs that say what to look for.
  package let explanation: [String]
  /// The keys of this scene, without those of every scene.
  let keys: [LabPage.KeyHint]
  let legend: [LabPage.LegendEntry]
  /// The words that are not everyday words.
  var terms: [LabPage.Term] = []
  let listings: [SourceListing]
  /// The approximate duration of the script; `nil` on virtual time, where it takes none.
  package var duration: Duration?
  let open: @Sendable () -> any Player

  /// All scenes, in the order of the menu and of `carillon demo --list`.
  package static let all: [Scene] = [
    .modes, .observers, .interval, .countdown, .debounce, .throttle, .background, .buffer, .session,
    .race, .missed, .clocks, .accuracy,
  ]

  /// The names and subjects of all scenes.
  package static var titles: [LabSceneTitle] {
    all.map { LabSceneTitle(name: $0.name, about: $0.about) }
  }

  package static func named(_ name: String) -> Scene? {
    all.first { $0.name == name }
  }
}

/// A player of an open scene: of its script, or of the keys of the user.
protocol Player {
  /// Handles a command; ignores one that has no meaning in the scene.
  mutating func handle(_ command: LabCommand, at now: TimerClock.Instant)

  /// Returns the contents of the scene at a time.
  mutating func snapshot(at now: TimerClock.Instant) -> Snapshot

  /// Returns the time at which the contents next change by themselves; `nil` if they do not.
  func nextChange(after now: TimerClock.Instant) -> TimerClock.Instant?

  /// The listings that belong to the current contents; `nil` for all of the scene.
  var listings: [SourceListing]? { get }

  /// Plays the whole script before it returns. A scene on virtual time returns at once; a scene on
  /// real time takes the time of the script.
  mutating func playToEnd()
}

extension Player {
  var listings: [SourceListing]? { nil }
}

/// The part of a page that a player provides.
struct Snapshot {
  /// A paragraph about the current contents, before the explanation of the scene.
  var lesson: String?
  var blocks: [LabPage.Block]
  var status: LabPage.Status
  /// The keys that all scenes with this player have.
  var keys: [LabPage.KeyHint]
}
