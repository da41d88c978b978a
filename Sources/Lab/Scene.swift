package import Dashboard
import TimerKit

/// A demonstration of one behavior of timers.
package struct Scene: Sendable {
  /// The name of the scene on the command line.
  package let name: String
  /// The keys of this scene, without those of every scene.
  let keys: [LabPage.KeyHint]
  let legend: [LabPage.LegendEntry]
  let listings: [LabCode]
  /// The approximate duration of the script; `nil` on virtual time, where it takes none.
  package var duration: Duration?
  let open: @Sendable () -> any Player

  /// The question that the scene answers, in at most half a line of the menu.
  package var about: String { text.question }
  /// The question, the explanation, the uses and the code to write.
  package var text: SceneText { SceneText.all[name] ?? SceneText() }

  /// A part of the menu.
  struct Group: Sendable {
    let title: String
    let scenes: [Scene]
  }

  static let groups = [
    Group(
      title: "countdowns", scenes: [.modes, .countdown, .cycle, .stopwatch, .session, .arrival]),
    Group(
      title: "repeating",
      scenes: [.interval, .observers, .missed, .tolerance, .clocks, .accuracy]),
    Group(title: "many events", scenes: [.debounce, .throttle, .users, .background, .buffer]),
    Group(title: "threads", scenes: [.race, .window, .suspend]),
  ]

  /// All scenes, in the order of the menu and of `carillon demo --list`.
  package static let all = groups.flatMap(\.scenes)

  /// The names and subjects of all scenes.
  package static var titles: [LabPage.Term] { all.map { LabPage.Term($0.name, $0.about) } }

  package static func named(_ name: String) -> Scene? {
    all.first { $0.name == name }
  }
}

/// A player of an open scene: of its script, or of the keys of the user.
protocol Player {
  /// Handles a command; ignores one that has no meaning in the scene.
  mutating func handle(_ command: LabCommand, at now: TimerClock.Instant)

  /// Returns the part of the page that shows the scene at a time: its picture and its status, the keys that all scenes with
  /// this player have, and the lesson, the results and the code that fails if they depend on the contents.
  mutating func snapshot(at now: TimerClock.Instant) -> LabPage

  /// Returns the time at which the contents next change by themselves; `nil` if they do not.
  func nextChange(after now: TimerClock.Instant) -> TimerClock.Instant?

  /// The listings that belong to the current contents; `nil` for all of the scene.
  var listings: [LabCode]? { get }
  /// True while the keys of the scene begin it anew.
  var playsScript: Bool { get }

  /// Lets a scene that waits for a key play without one.
  mutating func playByItself()

  /// Plays the whole script before it returns. A scene on virtual time returns at once; a scene on
  /// real time takes the time of the script.
  mutating func playToEnd()
}

extension Player {
  var listings: [LabCode]? { nil }
  var playsScript: Bool { false }
  mutating func playByItself() {}
}

extension Scene {
  /// Creates a scene on virtual time, which plays a script or the keys of the scene.
  /// - Parameters:
  ///   - keyLane: The name of the first lane, on which the keys are marked; `nil` if the scene marks them.
  ///   - setUp: Creates the timers and returns the handler of the keys.
  init(
    name: String, keys: [LabPage.KeyHint], legend: [LabPage.LegendEntry], listings: [LabCode],
    duration: Duration? = nil, script: Script, keyLane: String? = "you",
    setUp: @escaping VirtualPlayer.SetUp
  ) {
    let labels = keys.reduce(into: [Character: String]()) { labels, hint in
      if case .input(let key)? = hint.commands.first { labels[key] = hint.label }
    }
    self.init(
      name: name, keys: keys, legend: legend, listings: listings, duration: duration,
      open: { VirtualPlayer(script: script, labels: labels, keyLane: keyLane, setUp: setUp) })
  }

  /// Plays the script and returns the result as text. A scene on real time takes the time of the
  /// script.
  package func plainText(width: Int = 80, isASCII: Bool = false) -> String {
    var player = open()
    player.playToEnd()
    var page = page(player.snapshot(at: TimerClock.suspending.now))
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

  /// Returns the page of the scene.
  /// - Parameters:
  ///   - snapshot: The part of it that the player provides.
  ///   - code: The source code that runs.
  ///   - playsScript: True while a key of the scene begins it anew.
  func page(_ snapshot: LabPage, code: [LabCode] = [], playsScript: Bool = false) -> LabPage {
    var page = snapshot
    page.title = name
    page.about = about
    page.explanation = text.explanation
    page.legend = legend
    page.terms = text.terms
    page.uses = text.uses
    page.wrongCode =
      snapshot.wrongCode ?? LabCode("not this", isCounterexample: true, lines: text.wrongCode)
    page.advice = LabCode("write this", isCounterexample: false, lines: text.code)
    let remark =
      playsScript
      ? [LabPage.KeyHint(remark: keys.count > 1 ? "(these start over)" : "(starts over)")] : []
    page.keys =
      keys + remark + snapshot.keys + [
        .init(.showCode, label: "code"), .init(.previousScene, .nextScene, label: "scenes"),
        .init(.restartScene, label: "again"), .init(.leave, label: "menu"),
        .init(.quit, label: "quit"),
      ]
    page.code = code
    return page
  }

  /// The page of the whole text and the source code.
  func textPage(_ snapshot: LabPage, _ listings: [LabCode], offset: Int) -> LabPage {
    var page = page(snapshot, code: listings)
    page.about = "text and source code"
    page.status = nil
    page.textOffset = offset
    page.keys = [
      .init(.up, .down, label: "scroll"), .init(.showCode, label: "scene"),
      .init(.quit, label: "quit"),
    ]
    return page
  }
}
