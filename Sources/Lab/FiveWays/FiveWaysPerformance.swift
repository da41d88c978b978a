import Dashboard
import Dispatch
import TimerKit

/// Five ways, and TimerKit's two, on real queues in real time.
struct FiveWaysPerformance: Performance {
  /// How often the picture moves while runs are under way.
  private static let frame = Duration.milliseconds(100)

  /// Stops what is under way when nobody looks any more.
  private final class Seat {
    let tally: Tally

    init(_ tally: Tally) {
      self.tally = tally
    }

    deinit { tally.stop() }
  }

  private var seat: Seat
  private var pattern = 1
  private var race = Race.replaced
  /// How many steps of the newest run are told.
  private var shown = 0
  /// What there was of its kind before the run that is being told: its verdict is its last step.
  private var countBefore: Tally.Count?
  /// For a document: without what differs from run to run.
  private var isPlain = false

  private var key: Tally.Key {
    Tally.Key(pattern: pattern, race: Pattern.all[pattern].isDeferred ? .replaced : race)
  }

  private var story: RaceStory? {
    tally.newest(key).map { RaceStory(run: $0, pattern: Pattern.all[pattern]) }
  }

  mutating func perform(_ command: LabCommand, at now: TimerClock.Instant) {
    switch command {
    case .up: choose(pattern - 1, race)
    case .down: choose(pattern + 1, race)
    case .input("x"):
      let next = (race.rawValue + 1) % Race.allCases.count
      choose(pattern, Race(rawValue: next) ?? .replaced)
    case .step: step()
    case .hundred:
      countBefore = nil
      _ = tally.start(Tally.keys, runs: 100)
    case .again:
      seat = Seat(Tally())
      shown = 0
      countBefore = nil
    default: break
    }
  }

  private mutating func choose(_ pattern: Int, _ race: Race) {
    self.pattern = min(max(0, pattern), Pattern.all.count - 1)
    self.race = race
    shown = 0
    countBefore = nil
  }

  private mutating func step() {
    // A new run when the last one is told, or there is none.
    if shown == 0 || shown == story?.steps.count {
      guard !tally.isWorking else { return }
      countBefore = tally[key]
      _ = tally.start([key], runs: 1)
      shown = 1
    } else {
      shown += 1
      if shown == story?.steps.count { countBefore = nil }
    }
  }

  init(_ tally: Tally = Tally()) {
    seat = Seat(tally)
  }

  private var tally: Tally { seat.tally }

  mutating func playOut() {
    tally.start(Tally.keys, runs: 100).wait()
    showEnd()
  }

  /// Shows what was run, without what differs from time to time.
  mutating func showEnd() {
    isPlain = true
    shown = story?.steps.count ?? 0
  }

  func staleAt(_ now: TimerClock.Instant) -> TimerClock.Instant? {
    tally.isWorking ? now.advanced(by: Self.frame) : nil
  }

  var exhibits: [Exhibit]? {
    let chosen = Pattern.all[pattern]
    let remedy = Pattern.all.first { $0.isTimerKit && $0.firesOnQueue == chosen.firesOnQueue }
    return [chosen.exhibit] + (chosen.isTimerKit ? [] : remedy.map { [$0.exhibit] } ?? [])
  }

  mutating func picture(at now: TimerClock.Instant) -> Picture {
    var blocks = [LabFrame.Block.table(table)]
    if shown > 0, let story, !tally.isWorking || isPlain {
      blocks.append(.table(stepTable(story)))
      blocks.append(.lanes(story.lanes(shown: shown)))
    }
    return Picture(
      blocks: blocks,
      status: LabFrame.Status(
        tally.isWorking ? .running : nil, words: ["real queues, real time"]),
      keys: [.init(.step, label: "step"), .init(.hundred, label: "×100")])
  }
}

// MARK: - What it shows
extension FiveWaysPerformance {
  private var table: LabTable {
    LabTable(
      [
        .init("pattern"),
        .init("wrong", group: "REPLACED", isNumeric: true, width: 7),
        .init("", group: "REPLACED", width: 1),
        .init("ignored", group: "REPLACED", isNumeric: true),
        .init("wrong", group: "RESCHEDULED", isNumeric: true, width: 7),
        .init("", group: "RESCHEDULED", width: 1),
        .init("ignored", group: "RESCHEDULED", isNumeric: true),
        .init("right", group: "FIRED FIRST", isNumeric: true, width: 8),
        .init("", group: "FIRED FIRST", width: 1),
      ],
      Pattern.all.indices.map(row), selected: isPlain ? nil : pattern, notes: notes)
  }

  private var notes: [String] {
    let repeated = tally.notStaged
    var notes = [
      "wrong, right: runs in which the wrong child was deleted, or the right one",
      "ignored: late handlers that did nothing; no call: none was called",
    ]
    if !isPlain {
      notes.append(
        "not staged: \(counted(repeated, "run", "runs")) went another way than the recipe,"
          + " and had to be repeated")
    }
    return notes
  }

  private func row(_ pattern: Int) -> [LabTable.Cell] {
    let name = LabTable.Cell(
      Pattern.all[pattern].name, Pattern.all[pattern].isTimerKit ? .strong : .plain)
    return [name] + cells(pattern, .replaced) + cells(pattern, .rescheduled)
      + cells(pattern, .firedFirst).prefix(2)
  }

  /// Deleted, how good that is, ignored.
  private func cells(_ pattern: Int, _ race: Race) -> [LabTable.Cell] {
    let key = Tally.Key(pattern: pattern, race: race)
    guard Tally.keys.contains(key) else {
      return [.init("–", .faint), .init(""), .init("–", .faint)]
    }
    let count = key == self.key ? countBefore ?? tally[key] : tally[key]
    guard count.staged > 0 else { return [.init("·", .faint), .init(""), .init("·", .faint)] }
    let isGood = race == .firedFirst ? count.lost == count.staged : count.lost == 0
    let isUncalled = Pattern.all[pattern].firesOnQueue && count.invoked == 0
    return [
      .init("\(count.lost)/\(count.staged)", isGood ? .good : .bad),
      .init(isGood ? .finished : .wrong),
      .init(isUncalled ? "no call" : "\(count.ignored)", isUncalled ? .faint : .plain),
    ]
  }

  private func stepTable(_ story: RaceStory) -> LabTable {
    let steps = story.steps
    return LabTable(
      [.init(""), .init(""), .init(""), .init("", isNumeric: true), .init("")],
      steps.enumerated().map { index, step in
        let isTold = index < shown
        let isLast = index == steps.count - 1
        let tone = isTold ? (index == shown - 1 ? LabTone.strong : .plain) : .faint
        return [
          .init("\(index + 1)", tone),
          .init(isTold ? (isLast ? story.verdictSign : .fired) : .ignored),
          .init(step.name, tone),
          .init(isTold && !isPlain ? story.delay(of: step)?.milliseconds ?? "" : "", .faint),
          .init(isTold ? step.detail : "", tone),
        ]
      })
  }
}

extension Pattern {
  fileprivate var exhibit: Exhibit { Exhibit(name, isUnsafe: isUnsafe, source: source) }
}

extension Duration {
  /// `8.1 ms`
  fileprivate var milliseconds: String {
    let tenths = max(0, clampedNanoseconds) / 100_000
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}

extension Scene {
  static let fiveWays = Scene(
    id: "fiveways", about: "a child's old timer fires while it is replaced: who is deleted?",
    look: [
      "A handler that has begun waits for the parent's queue, behind a control that replaces its"
        + " child or puts its timer off: when it gets the queue, its time is over.",
      "Cancelling comes too late for it, and a check of the timer's identity does not see that the"
        + " same timer was put off; a generation count sees both, and a timer on the queue itself"
        + " is never called late.",
      "Fired first is no fault of any pattern: the handler was in the queue before the control, so"
        + " it deletes the child rightly.",
    ],
    keys: [.init("x", "race"), .init(.up, .down, label: "pattern")],
    legend: [
      .init(.letter("c"), "control"), .init(.letter("h"), "handler"), .init(.waiting, "waits"),
      .init(.busy, "busy"), .init(.wrong, "wrong child deleted"), .init(.ignored, "ignored"),
    ],
    exhibits: Pattern.all.map(\.exhibit),
    duration: .seconds(10),
    open: { FiveWaysPerformance() })
}
