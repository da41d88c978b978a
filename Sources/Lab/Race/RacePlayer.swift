import Dashboard
import Dispatch
import TimerBoard
import TimerKit

/// A player of races between a timer that deletes a child and a parent that replaces it: five ways to guard against
/// them (see ``Pattern``) and two with TimerKit, on real queues and in real time.
struct RacePlayer: Player {
  /// The interval between two frames while races run.
  private static let frameInterval = Duration.milliseconds(100)

  /// A reference that stops the races when the player is released.
  private final class TallyHandle {
    let tally: Tally

    init(_ tally: Tally) {
      self.tally = tally
    }

    deinit { tally.stop() }
  }

  private var handle: TallyHandle
  private var pattern = 1
  private var race = Race.replaced
  /// The number of steps of the newest run that are shown.
  private var shown = 0
  /// The count before the run that is shown step by step, so that the table does not reveal its
  /// result before the last step.
  private var countBefore: Tally.Count?
  /// A Boolean value that indicates whether everything that differs between runs is left out, for
  /// documentation.
  private var isPlain = false

  private var key: Tally.Key {
    Tally.Key(pattern: pattern, race: Pattern.all[pattern].isDeferred ? .replaced : race)
  }

  private var report: RunReport? {
    tally.newest(key).map { RunReport(run: $0, pattern: Pattern.all[pattern]) }
  }

  mutating func handle(_ command: LabCommand, at now: TimerClock.Instant) {
    switch command {
    case .action(.up): choose(pattern - 1, race)
    case .action(.down): choose(pattern + 1, race)
    case .input("x"):
      let next = (race.rawValue + 1) % Race.allCases.count
      choose(pattern, Race(rawValue: next) ?? .replaced)
    case .action(.step): step()
    case .action(.playToEnd):
      countBefore = nil
      _ = tally.start(Tally.keys, runs: 100)
    case .action(.restartScene):
      handle = TallyHandle(Tally())
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
    guard !tally.isWorking else { return }
    let count = report?.steps.count ?? 0
    // Starts a new run after the last step of the previous one, or if that one was invalid.
    if shown == 0 || shown >= count {
      countBefore = tally[key]
      _ = tally.start([key], runs: 1)
      shown = 1
    } else {
      shown += 1
      if shown == count { countBefore = nil }
    }
  }

  init(_ tally: Tally = Tally()) {
    handle = TallyHandle(tally)
  }

  private var tally: Tally { handle.tally }

  mutating func playToEnd() {
    tally.start(Tally.keys, runs: 100).wait()
    showAllSteps()
  }

  /// Shows all steps, without the values that differ between runs.
  mutating func showAllSteps() {
    isPlain = true
    shown = report?.steps.count ?? 0
  }

  func nextChange(after now: TimerClock.Instant) -> TimerClock.Instant? {
    tally.isWorking ? now.advanced(by: Self.frameInterval) : nil
  }

  var listings: [SourceListing]? {
    let chosen = Pattern.all[pattern]
    let safe = Pattern.all.first { $0.isTimerKit && $0.firesOnQueue == chosen.firesOnQueue }
    return [chosen.listing] + (chosen.isTimerKit ? [] : safe.map { [$0.listing] } ?? [])
  }

  mutating func snapshot(at now: TimerClock.Instant) -> Snapshot {
    var blocks = [LabPage.Block.table(table)]
    if shown > 0, let report, !tally.isWorking || isPlain {
      let title =
        "\(Pattern.all[pattern].name), \(key.race.name): one run in \(report.steps.count) steps"
      blocks.append(.table(stepTable(report, title: title)))
      blocks.append(.lanes(report.lanes(shown: shown)))
    }
    return Snapshot(
      blocks: blocks,
      status: LabPage.Status(
        tally.isWorking ? .running : nil, details: ["race: \(key.race.name)", "real time"]),
      keys: [.init(.step, label: "step"), .init(.playToEnd, label: "×100")])
  }
}

// MARK: - Contents
extension RacePlayer {
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
    var notes = [
      "wrong, right: runs in which the wrong or the right child was deleted; ✓ as it should be",
      "ignored: late handlers that did nothing; no call: no handler was called; –: has no such race",
    ]
    if !isPlain, tally.isEmpty {
      notes.append("nothing has run yet: go through a race step by step, or run 100 of each")
    } else if !isPlain {
      notes.append(
        "discarded and repeated: \(counted(tally.discarded, "run")) with the steps in another order"
      )
    }
    return notes
  }

  private func row(_ pattern: Int) -> [LabTable.Cell] {
    let name = LabTable.Cell(
      Pattern.all[pattern].name, Pattern.all[pattern].isTimerKit ? .strong : .plain)
    return [name] + cells(pattern, .replaced) + cells(pattern, .rescheduled)
      + cells(pattern, .firedFirst).prefix(2)
  }

  /// Returns the cells of one race: deletions, a mark, ignored handlers.
  private func cells(_ pattern: Int, _ race: Race) -> [LabTable.Cell] {
    let key = Tally.Key(pattern: pattern, race: race)
    guard Tally.keys.contains(key) else {
      return [.init("–", .faint), .init(""), .init("–", .faint)]
    }
    let count = key == self.key ? countBefore ?? tally[key] : tally[key]
    guard count.valid > 0 else { return [.init("·", .faint), .init(""), .init("·", .faint)] }
    let isGood = race == .firedFirst ? count.deleted == count.valid : count.deleted == 0
    let isNotInvoked = Pattern.all[pattern].firesOnQueue && count.invoked == 0
    return [
      .init("\(count.deleted)/\(count.valid)", isGood ? .good : .bad),
      .init(isGood ? .finished : .wrong),
      .init(isNotInvoked ? "no call" : "\(count.ignored)", isNotInvoked ? .faint : .plain),
    ]
  }

  private func stepTable(_ report: RunReport, title: String) -> LabTable {
    let steps = report.steps
    return LabTable(
      [
        .init("", group: title), .init("", group: title), .init("", group: title),
        .init("", group: title, isNumeric: true), .init("", group: title),
      ],
      steps.enumerated().map { index, step in
        let isShown = index < shown
        let isLast = index == steps.count - 1
        let tone = isShown ? (index == shown - 1 ? LabTone.strong : .plain) : .faint
        return [
          .init("\(index + 1)", tone),
          .init(isShown ? (isLast ? report.verdictMark : .fired) : .ignored),
          .init(step.name, tone),
          .init(isShown && !isPlain ? report.delay(of: step)?.milliseconds ?? "" : "", .faint),
          .init(isShown ? step.detail : "", tone),
        ]
      })
  }
}

extension Duration {
  /// The duration in milliseconds: `8.1 ms`.
  fileprivate var milliseconds: String {
    let tenths = max(0, clampedNanoseconds) / 100_000
    return "\(tenths / 10).\(tenths % 10) ms"
  }
}

extension Scene {
  static let race = Scene(
    name: "race", about: "a timer deletes an object as it is replaced: is the new one lost?",
    explanation: [
      "A handler that has started waits for the parent's queue behind a control that replaces its child"
        + " or reschedules its timer: when the handler gets the queue, its fire is stale.",
      "Cancelling the timer is too late for that handler, and an identity check does not detect that"
        + " the same timer was rescheduled; a generation count detects both, and a timer on the parent's"
        + " own queue never calls a stale handler.",
      "Fired first is not an error of any pattern: the handler entered the queue before the control, so"
        + " it deletes the right child.",
    ],
    keys: [.init("x", "next race"), .init(.up, .down, label: "pattern")],
    legend: [
      .init(.character("c"), "control"), .init(.character("h"), "handler"),
      .init(.waiting, "waiting"),
      .init(.busy, "busy"), .init(.wrong, "deleted wrongly"), .init(.ignored, "ignored"),
    ],
    terms: [
      .parent, .handler, .queue, .control, .stale, .deferred, .identity, .generation, .current,
    ],
    listings: Pattern.all.map(\.listing),
    duration: .seconds(10),
    open: { RacePlayer() })
}
