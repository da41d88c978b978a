import Dashboard
import TimerKit

/// A player of races between a timer that deletes an object and an owner that replaces it or gives it more time. All
/// patterns run on real queues, a hundred times each; the newest run of one of them is played in slow motion.
struct RacePlayer: Player {
  /// The interval between two frames while races run.
  private static let frameInterval = Duration.milliseconds(100)

  private var tally = Tally()
  private var pattern = 1
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

  mutating func playToEnd() {
    tally.wait()
    playNewestRun()
    player?.playToEnd()
  }

  private mutating func playNewestRun() {
    let events = tally[key].newest
    guard player == nil, !events.isEmpty else { return }
    player = VirtualPlayer(
      script: Script(axis: .positions, cell: .seconds(1), "------"), inputs: [], keyLane: nil
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
    var snapshot = player?.snapshot(at: now) ?? LabPage(status: LabPage.Status(.running))
    snapshot.lesson = Pattern.all[pattern].lesson
    snapshot.status?.details = ["pattern \(pattern + 1) of \(Pattern.all.count)"]
    snapshot.blocks.append(.table(table))
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
  private var table: LabTable {
    LabTable(
      [
        .init("pattern"), .init("replaced: wrong", isNumeric: true), .init("", width: 1),
        .init("more time: wrong", isNumeric: true), .init("", width: 1),
      ],
      Pattern.all.indices.map { index in
        [.text(Pattern.all[index].name)] + cells(index, .replaced) + cells(index, .rescheduled)
      }, selected: pattern)
  }

  private func cells(_ pattern: Int, _ race: Race) -> [LabTable.Cell] {
    let result = tally[Tally.Key(pattern: pattern, race: race)]
    guard result.runs > 0 else { return [.text("–", .faint), .text("")] }
    let wrong = result.endings[.deleted, default: 0]
    return [
      .text("\(wrong) of \(result.runs)", wrong == 0 ? .good : .error),
      .mark(wrong == 0 ? .finished : .wrong),
    ]
  }
}

/// The lanes of one run, on which each event is drawn at the current time of the fixture.
private struct RaceLanes: Sendable {
  private let control: Lane
  private let queue: Lane
  private let timer: Lane
  private let object: Lane
  private let key: Tally.Key
  private let word: String

  init(of key: Tally.Key, on fixture: Fixture) {
    self.key = key
    control = fixture.lane("your change", isJudged: false)
    queue = fixture.lane("owner's queue", isJudged: false)
    timer = fixture.lane("A's timer", isJudged: false)
    object = fixture.lane("object")
    control.setLineStyle(.none)
    let name = key.race == .replaced ? "B" : "A"
    word = name == "A" ? "A deleted too early" : "A's timer deletes B"
    object.setNote { [object] in "\(name) is \(object.count(.wrong) > 0 ? "deleted" : "kept")" }
    // The control that creates the object.
    object.mark(.character("A"))
  }

  func draw(_ event: RaceEvent) {
    switch event {
    case .busy: queue.setLineStyle(.busy)
    case .requested:
      control.mark(.character("c"))
      control.setLineStyle(.waiting)
    case .fired, .due:
      timer.mark(.fired)
      timer.setLineStyle(.waiting)
    case .control:
      control.setLineStyle(.none)
      queue.mark(.character("c"))
      queue.setLineStyle(.idle)
      object.mark(key.race == .replaced ? .character("B") : .character("+"))
      if Pattern.all[key.pattern].firesOnQueue { timer.setLineStyle(.none) }
    case .deleted:
      queue.mark(.character("h"))
      object.mark(.wrong, wrong: word)
      object.setLineStyle(.none)
      end(.wrong)
    case .ignored:
      queue.mark(.character("h"))
      end(.ignored)
    }
  }

  private func end(_ mark: LabMarkKind) {
    timer.mark(mark)
    timer.setLineStyle(.none)
  }
}

extension Scene {
  static let race = Scene(
    name: "race",
    keys: [.init("x", "100 runs"), .init(.up, .down, label: "pattern")],
    legend: [
      .init(.character("A"), "object"), .init(.character("B"), "new object"),
      .init(.character("c"), "your change"), .init(.character("h"), "handler"),
      .init(.fired, "fire"), .init(.character("+"), "more time"), .init(.waiting, "waiting"),
      .init(.busy, "other work"), .init(.wrong, "deletes the wrong object"),
      .init(.ignored, "does nothing"),
    ],
    listings: Pattern.all.map(\.listing),
    duration: .seconds(10),
    open: { RacePlayer() })
}
