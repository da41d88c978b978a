import Fuzzing
import Testing
import TimerBoardFixtures
import TimerKit

@testable import TimerBoard

/// Properties of a board over random timers of all kinds, policies, chains and schedules, commands and readings.
@Suite struct BoardPropertyTests {
  /// Time without a process passes the same in one step and in many.
  @Test func oneStepIsManySteps() {
    let found = failures(
      sequences: 5_000, steps: 1..<5, setup: RandomBoard.init(_:),
      step: { random in
        // Up to a day, but rarely: debug builds start a thousand timers of a chain in a tenth of a second.
        Duration.milliseconds(random.below(random.below(400) == 0 ? 90_000_000 : 40_000))
      },
      failure: { setup, steps in
        let begin = setup.board()
        var (whole, parts) = (begin.board, begin.board)
        let end = begin.now.moved(by: steps.reduce(.zero, +))
        let missed = whole.advance(to: end, .unattended).missed
        var missedInParts: [TimerID: Int] = [:]
        var now = begin.now
        for step in steps {
          now = now.moved(by: step)
          missedInParts.merge(parts.advance(to: now, .unattended).missed) { $0 + $1 }
        }
        guard missed == missedInParts else { return "\(missed) and in parts \(missedInParts)" }
        return difference(whole, parts, at: end)
      })
    #expect(found == [])
  }

  /// A restored board has the same fields and deadlines as the saved one.
  @Test func whatIsSavedIsRestored() {
    let found = failures(
      sequences: 5_000, steps: 0..<1, setup: RandomBoard.init(_:), step: { $0.next() },
      failure: { setup, _ in
        let (board, now) = setup.board()
        let saved = SavedBoard(board, for: .session, at: now)
        do {
          let read = try SavedBoard(json: saved.jsonLine)
          guard read == saved else { return "read as \(read)" }
          let restored = try RestoredBoard(read, savedAt: now)
          for (before, after) in zip(board.timers.all, restored.timers) {
            let fields = SavedFields(after, at: now)
            if fields != SavedFields(before, at: now) { return "\(before.spec.text): \(fields)" }
            guard before.machine.calls == nil else { continue }
            let deadlines = (before.machine.deadline, after.machine.deadline)
            switch deadlines {
            case (nil, nil): continue
            case (let old?, let new?):
              let apart = old.duration(to: new)
              if max(apart, .zero - apart) <= .microseconds(1) { continue }
            default: break
            }
            return "\(before.spec.text): \(deadlines)"
          }
          return restored.timers.count == board.timers.count ? nil : "timers are missing"
        } catch {
          return "\(error)"
        }
      })
    #expect(found == [])
  }

  /// After an undo, time passes as if the step had not been: the times and the states are those of a twin without it.
  /// What has happened since, such as a started successor, may have made them different.
  @Test func anUndoneStepHasNotBeen() {
    let found = failures(
      sequences: 5_000, steps: 1..<3, setup: UndoCase.init(_:),
      step: { Duration.milliseconds($0.below(30_000)) },
      failure: { setup, steps in setup.failure(after: steps) })
    #expect(found == [])
  }
}

/// Returns the timers that differ in the fields that a file has, except counts and the runs of the history.
private func difference(
  _ first: Board, _ second: Board, ignoringAlerts: Bool = false, at now: ClockReading
) -> String? {
  for (one, other) in zip(first.timers.all, second.timers.all) {
    func fields(_ timer: BoardTimer) -> SavedFields {
      var fields = SavedFields(timer, at: now)
      fields.run = nil
      fields.fired = 0
      fields.missed = 0
      if ignoringAlerts {
        fields.hasAlert = false
        fields.over = nil
      }
      return fields
    }
    if fields(one) != fields(other) {
      return "\(one.spec.text)\n  \(fields(one))\n  \(fields(other))"
    }
  }
  return first.timers.count == second.timers.count ? nil : "timers are missing"
}

extension Change {
  /// The number of fires of each timer that nobody saw.
  fileprivate var missed: [TimerID: Int] {
    Dictionary(
      transitions.compactMap { transition in
        transition.event == .missed ? (transition.id, transition.fire?.missed ?? 0) : nil
      }
    ) { $0 + $1 }
  }
}

/// A board of a few random timers, which has run for some time.
private struct RandomBoard: Sendable, CustomStringConvertible {
  private static let timers = [
    "a=7s then b b=11s then a", "c=every 5s x3", "d=every 3s", "e=cycle 4s/2s x2",
    "f=cycle 3s/1s wait", "g=stopwatch", "h=daily 14:30", "i=at 14:31", "j=debounce 2s",
    "k=throttle 3s deferred", "l=coalesce 2s", "m=idle 4s", "n=every 2s x3 then nn x2 nn=3s",
    "o=10s ring", "p=20s ring then pp pp=every 5s x2", "q=every 4s missed burst 3",
    "r=every 4s missed delay", "s=cron '* * * * *'", "t=30s group laundry w=9s awake then laundry",
    "u=5s paused then uu uu=6s wait then u", "v=every 10s tolerance 2s",
    "x=daily 02:30 in Europe/Berlin x3 then xx xx=5s", "y=cycle 9s/2s/1s",
    "z=every 10s x2 now then z",
  ].map { words in
    do {
      return (words, try TimerSpec.parse(arguments: [words]))
    } catch {
      preconditionFailure("\(words): \(error)")
    }
  }
  /// The times of day at which it begins: one, and those around two changes of the clocks.
  private static let begins =
    [ManualClocks.startTime]
    + ClockChanges.all[0].moments.map { $0.instant.advanced(by: .seconds(-70)) }

  let words: String
  private let specs: [TimerSpec]
  private let begin: WallInstant
  /// The times that pass before each of the actions.
  let actions: [(time: Duration, action: TimerAction, timer: Int)]

  init(_ random: inout SplitMix) {
    var kept = Self.timers
    let timers = (0..<(1 + random.below(3))).map { _ in kept.remove(at: random.below(kept.count)) }
    words = timers.map(\.0).joined(separator: " ")
    specs = timers.flatMap(\.1)
    begin = random.one(of: Self.begins)
    actions = (0..<random.below(4)).map { _ in
      (.milliseconds(random.below(12_000)), .random(using: &random), random.below(4))
    }
  }

  var description: String { "\(words) from \(begin)\n\(actions)" }

  /// A Boolean value that indicates whether no timer starts another one, waits for the user, or counts from a late fire.
  var areIndependent: Bool { !["then", "wait", "delay"].contains { words.contains($0) } }

  func board() -> (board: Board, now: ClockReading) {
    var clocks = ManualClocks(at: begin)
    var board = Board(seed: 1)
    _ = board.perform(.start(specs), at: clocks.now)
    for (time, action, timer) in actions {
      clocks.advance(by: time)
      _ = board.perform(
        .control(action, [board.timers[timer % board.timers.count].id]), at: clocks.now)
      while board.isDue(at: clocks.now) { _ = board.advance(to: clocks.now) }
    }
    return (board, clocks.now)
  }
}

extension TimerAction {
  fileprivate static func random(using random: inout SplitMix) -> TimerAction {
    random.one(of: [
      .toggle, .start, .pause, .reset(restart: true), .reset(restart: false), .fire(pausing: false),
      .fire(pausing: true), .adjustTime(.more), .adjustTime(.less),
      .adjustTime(.exactly(.seconds(3))),
      .stepInterval(longer: true), .stepInterval(longer: false),
      .setInterval(.seconds(8), .fromLastFire), .adjustIterations(by: 1), .adjustIterations(by: -1),
      .skip, .lap, .toggleAll,
    ])
  }
}

/// A step that is undone.
private struct UndoCase: Sendable, CustomStringConvertible {
  let begin: RandomBoard
  let action: TimerAction
  let timer: Int

  init(_ random: inout SplitMix) {
    begin = RandomBoard(&random)
    action = .random(using: &random)
    timer = random.below(4)
  }

  var description: String { "\(begin)\nundone: \(action) of \(timer)" }

  /// - Parameter steps: The time until the undo, and the time after it.
  func failure(after steps: [Duration]) -> String? {
    var (board, now) = begin.board()
    var twin = board
    let id = board.timers[timer % board.timers.count].id
    let before = board.undoHistory.count
    _ = board.perform(.control(action, [id]), at: now)
    guard board.undoHistory.count > before else { return nil }
    var fires = board.advance(from: now, by: steps[0]) + twin.advance(from: now, by: steps[0])
    now = now.moved(by: steps[0])
    _ = board.perform(.undo, at: now)
    fires += board.advance(from: now, by: .zero)
    // A successor that has been started since stays, and so does what has happened in a phase that waits.
    guard fires == 0 || begin.areIndependent else { return nil }
    // An alert that has begun since stays.
    let hadAlert = fires > 0
    if let found = difference(board, twin, ignoringAlerts: hadAlert, at: now) {
      return "at the undo: \(found)"
    }
    guard steps.count > 1 else { return nil }
    _ = board.advance(from: now, by: steps[1])
    _ = twin.advance(from: now, by: steps[1])
    return difference(board, twin, ignoringAlerts: hadAlert, at: now.moved(by: steps[1]))
  }
}

extension Board {
  /// Advances from wake-up to wake-up.
  /// - Returns: The number of fires.
  fileprivate mutating func advance(from now: ClockReading, by time: Duration) -> Int {
    var fires = 0
    var left = time
    var now = now
    while true {
      repeat {
        fires += advance(to: now).transitions.count { $0.fire != nil }
      } while isDue(at: now)
      guard left > .zero else { return fires }
      let next = TimerClock.Kind.allCases.compactMap { clock in
        wakeUp(on: clock).map { max(.nanoseconds(1), now.duration(to: $0.lowerBound)) }
      }.min()
      let step = min(left, next ?? left)
      now = now.moved(by: step)
      left -= step
    }
  }
}
