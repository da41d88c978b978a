import Dashboard
import TimerKit

/// A player of races between a timer that deletes an object and an owner that replaces it or gives it more time. All
/// patterns run on real queues, a hundred times each; the newest run of one of them is played in slow motion.
struct RacePlayer: Player {
  /// The interval between two frames while races run.
  private static let frameInterval = Duration.milliseconds(100)

  private var tally = Tally()
  private var pattern = 0
  /// False if the run waits for a key before each of its events.
  private var playsByItself = false
  /// The player of the run that is shown; `nil` until there is one.
  private var player: VirtualPlayer?
  /// A Boolean value that indicates whether the table was incomplete when it was last drawn.
  private var isWorking = true

  private var key: Tally.Key {
    Tally.Key(pattern: pattern, race: Pattern.all[pattern].races.last ?? .replaced)
  }

  mutating func handle(_ command: LabCommand, at now: TimerClock.Instant) {
    switch command {
    case .action(.up): choose(pattern - 1)
    case .action(.down): choose(pattern + 1)
    case .action(.restartScene): player = nil
    case .input("x"):
      tally = Tally()
      player = nil
    default: player?.handle(command, at: now)
    }
  }

  private mutating func choose(_ pattern: Int) {
    self.pattern = min(max(0, pattern), Pattern.all.count - 1)
    player = nil
  }

  mutating func playByItself() { playsByItself = true }

  mutating func playToEnd() {
    tally.wait()
    playNewestRun()
    player?.playToEnd()
  }

  private mutating func playNewestRun() {
    let events = tally[key].newest
    guard player == nil, !events.isEmpty else { return }
    player = VirtualPlayer(
      script: Script(axis: .steps, cell: .seconds(1), "-------"), labels: [:], keyLane: nil,
      isPaused: !playsByItself
    ) { [key] fixture in
      let lanes = RaceLanes(of: key, on: fixture)
      let steps = try Repeater.every(.seconds(1), clock: .virtual(fixture.clock)) { _, tick in
        if tick.iteration < events.count { lanes.draw(events[tick.iteration]) }
      }
      fixture.keep(steps)
      return { _ in }
    }
  }

  mutating func snapshot(at now: TimerClock.Instant) -> LabPage {
    isWorking = tally.isWorking
    playNewestRun()
    let shown = Pattern.all[pattern]
    var snapshot = player?.snapshot(at: now) ?? LabPage(status: LabPage.Status(.running))
    snapshot.lesson = LabPage.Lesson(shown.lesson, isWrong: shown.isCounterexample)
    snapshot.status?.details = [
      shown.name, "\(pattern + 1) of \(Pattern.all.count)",
    ]
    snapshot.wrongCode = LabCode(
      shown.name, isCounterexample: shown.isCounterexample, lines: shown.listing.lines)
    snapshot.tally = results
    return snapshot
  }

  func nextChange(after now: TimerClock.Instant) -> TimerClock.Instant? {
    let nextCount = isWorking ? now.advanced(by: Self.frameInterval) : nil
    return [player?.nextChange(after: now), nextCount].compactMap(\.self).min()
  }

  var listings: [LabCode]? {
    let pattern = Pattern.all[pattern]
    return [pattern.listing] + (pattern.isCounterexample ? [Pattern.current.listing] : [])
  }

  /// The number of runs of each pattern, and of those in which the wrong object was deleted.
  private var results: LabTally {
    LabTally(
      Pattern.all.enumerated().map { index, pattern in
        let results = pattern.races.map { tally[Tally.Key(pattern: index, race: $0)] }
        return .init(
          pattern.name, wrong: results.reduce(0) { $0 + $1.endings[.deleted, default: 0] },
          done: results.reduce(0) { $0 + $1.runs }, remark: pattern.remark)
      }, of: Tally.runsOfPattern, selected: pattern)
  }
}

/// The lanes of one run, on which each event is drawn at the current time of the fixture.
private struct RaceLanes: Sendable {
  private let control: Lane
  private let queue: Lane
  private let timer: Lane
  private let object: Lane
  private let key: Tally.Key
  /// The object that exists at the end.
  private let name: String

  init(of key: Tally.Key, on fixture: Fixture) {
    self.key = key
    control = fixture.lane("you", isInput: true)
    queue = fixture.lane("owner's queue", isJudged: false)
    timer = fixture.lane("A's timer", isJudged: false)
    object = fixture.lane("object", isJudged: false)
    control.setLine(.none)
    name = key.race == .replaced ? "B" : "A"
    // The control that creates the object.
    object.setLine(.held, word: "A")
  }

  func draw(_ event: RaceEvent) {
    let isReplaced = key.race == .replaced
    switch event {
    case .busy: queue.setLine(.other, word: "other work")
    case .requested:
      control.setLine(
        .change, word: isReplaced ? "A → B, cancel" : "more time")
    case .fired, .due:
      timer.mark(.fired, word: "fires")
      timer.setLine(.waiting)
    case .control:
      control.setLine(.none)
      queue.setLine(.change, word: isReplaced ? "A → B" : "reset")
      if isReplaced { object.setLine(.held, word: "B") }
      if Pattern.all[key.pattern].firesOnQueue { end(.ignored, "withdrawn") }
    case .deleted:
      queue.setLine(.mistake, word: "deletes \(name)")
      object.mark(.wrong, word: "\(name) gone")
      object.setLine(.none)
      end(.fired, "runs")
    case .ignored:
      queue.setLine(.other, word: "nothing")
      end(.ignored, "old")
    }
  }

  private func end(_ mark: LabMarkKind, _ word: String) {
    timer.mark(mark, word: word)
    timer.setLine(.none)
  }
}

extension Scene {
  static let race = Scene(
    name: "race",
    keys: [.init(.up, .down, label: "pattern"), .init("x", "100 new runs")],
    legend: [
      .init(.fired, "fire, handler"), .init(.waiting, "waits for the queue"),
      .init(.ignored, "does nothing"), .init(.wrong, "the wrong object is deleted"),
    ],
    listings: Pattern.all.map(\.listing),
    duration: .seconds(10),
    open: { RacePlayer() })
}
