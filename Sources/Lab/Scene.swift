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
  let listings: [LabCode]
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
  var listings: [LabCode]? { get }

  /// Plays the whole script before it returns. A scene on virtual time returns at once; a scene on
  /// real time takes the time of the script.
  mutating func playToEnd()
}

extension Player {
  var listings: [LabCode]? { nil }
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

extension Scene {
  /// Plays the script and returns the result as text. A scene on real time takes the time of the
  /// script.
  package func plainText(width: Int = 80, isASCII: Bool = false) -> String {
    var player = open()
    player.playToEnd()
    let snapshot = player.snapshot(at: TimerClock.suspending.now)
    return plainText(snapshot, width: width, isASCII: isASCII)
  }

  func plainText(_ snapshot: Snapshot, width: Int = 80, isASCII: Bool = false) -> String {
    var page = page(snapshot)
    page.status = nil
    return page.text(width: width, isASCII: isASCII)
  }

  /// The source code that the scene runs, unsafe code first.
  package var codeText: String {
    listings.map { listing in
      let warning = listing.isCounterexample ? "// DO NOT DO THIS: " : "// "
      return ([warning + listing.title] + listing.lines).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  func page(_ snapshot: Snapshot, code: [LabCode] = []) -> LabPage {
    LabPage(
      title: name, about: about, status: snapshot.status, blocks: snapshot.blocks,
      explanation: [snapshot.lesson].compactMap(\.self) + explanation,
      legend: legend, terms: terms,
      keys: keys + snapshot.keys + [
        .init(.showCode, label: "code"), .init(.leave, label: "menu"), .init(.quit, label: "quit"),
        .init(.restartScene, label: "restart"), .init(.previousScene, .nextScene, label: "scenes"),
      ],
      code: code)
  }

  func codeFrame(_ listings: [LabCode], scroll: Int) -> LabPage {
    LabPage(
      title: name, about: "source code",
      blocks: [.code(listings, scroll: scroll)],
      keys: [
        .init(.showCode, label: "scene"), .init(.up, .down, label: "scroll"),
        .init(.quit, label: "quit"),
      ])
  }
}

/// The words of the scenes that are not everyday words. A scene explains those that it shows.
extension LabPage.Term {
  static let handler = Self("handler", "the code that a timer calls when it fires")
  static let observer = Self(
    "observer", "code that a timer calls at each event, after its handler")
  static let tick = Self("tick", "one fire of a timer that repeats")
  static let grid = Self(
    "grid", "the times at which ticks are due: the start plus 1, 2, 3 … intervals")
  static let modes = Self(
    "once, finite, infinite", "fires one time, a number of times, or until it is cancelled")
  static let debouncer = Self(
    "debouncer", "of many calls in a short time, passes on the first or the last")
  static let throttler = Self(
    "throttler", "acts at most once in an interval, however many calls come")
  static let flush = Self("flush", "writing everything that is pending, in one go")
  static let slot = Self(
    "slot", "the memory for one element; an array with free slots need not be copied to grow")
  static let suspending = Self("suspending clock", "stops while the machine sleeps")
  static let continuous = Self("continuous clock", "counts through sleep")
  static let wall = Self("wall clock", "the time of day, which can be set")
  static let container = Self(
    "published", "the container as printed in an article, for comparison")
  static let lateness = Self(
    "late", "the time from the instant at which a fire was due until it came")
  static let drift = Self("drift", "delays that add up from period to period")
  static let chained = Self("chained", "each wait begins when the one before has ended")
}
