import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

@MainActor
@Suite(.timeLimit(.minutes(20)))
struct TimerModelTests {
  private final class Reader {
    var messages: [TimerModel.TimerMessage] = []
    var onFirstMessage: (@MainActor () -> Void)?

    @MainActor func receive(_ newMessages: [TimerModel.TimerMessage]) {
      for message in newMessages {
        messages.append(message)
        if let action = onFirstMessage {
          onFirstMessage = nil
          action()
        }
      }
    }
  }

  private let reader = Reader()
  private let model: TimerModel
  private let id = TimerID(1)

  init() {
    model = TimerModel { [reader] in reader.receive($0) }
  }

  private func spec(_ text: String) throws -> TimerSpec {
    try #require(try TimerSpec.parse(line: text).first)
  }

  @discardableResult
  private func control(_ action: TimerAction, _ ids: TimerID...) -> [ControlOutcome] {
    model.control(action, ids.isEmpty ? [id] : ids, at: .now())
  }

  /// No checkpoint ends the process: an invalid one is rejected, and the model keeps its other
  /// timers.
  @Test func anInvalidCheckpointIsRejected() async throws {
    let wall = WallInstant(nanosecondsSince1970: 1_795_260_946_000_000_000)
    let endless = try spec("cycle 1m/30s")
    guard
      case .cycle(var cycle) = SavedTimer(startOf: endless, at: ClockReading(wall: wall)).checkpoint
    else { return }
    for number in [-1, .max] {
      cycle.phaseIndex = number
      #expect(throws: RestoreError.invalidPhaseIndex(number)) {
        try model.create(id, endless, restoring: .cycle(cycle))
      }
      #expect(control(.pause).isEmpty)
    }
    #expect(try model.create(id, endless, restoring: nil).state == .running)
  }

  /// A timer that became due during a hand-over fires while it is being created.
  @Test func noFireOfARestoredTimerIsLost() async throws {
    let spec = try spec("1s")
    var saved = SavedTimer(startOf: spec, at: .now())
    saved.elapse(.seconds(2))
    let count = 5_000
    for number in 1...count {
      _ = try model.create(TimerID(number), spec, restoring: saved.checkpoint)
    }
    func fireCount() -> Int {
      reader.messages.count { if case .fired = $0.event { true } else { false } }
    }
    try await until { fireCount() == count }
  }

  @Test func eventsArriveInOrderWithTheirState() async throws {
    _ = try model.create(id, try spec("every 5ms x20 missed burst 100"), restoring: nil)
    try await until { reader.messages.contains { $0.status.state == .finished } }
    #expect(reader.messages.allSatisfy { $0.id == id && model.isLive($0) })
    let fires = reader.messages.filter { message in
      if case .fired = message.event { true } else { false }
    }
    #expect(fires.count == 20)
    for (index, fire) in fires.enumerated() { #expect(fire.status.deliveredCount > index) }
    let events = reader.messages.filter(\.isEvent).map(\.status)
    let delivered = events.map(\.deliveredCount)
    #expect(delivered == delivered.sorted() && delivered.last == 20)
    let left = events.compactMap { repeater($0)?.remainingIterations }
    #expect(left == left.sorted(by: >) && left.last == 0)
    // States between the events can be ahead of later events, and never behind earlier ones.
    var latest = 0
    for message in reader.messages {
      #expect(message.isEvent || message.status.deliveredCount >= latest)
      if message.isEvent { latest = message.status.deliveredCount }
    }
    #expect(reader.messages.last?.status.deliveredCount == 20)
  }

  /// The outcome has the state before and after, whatever the main queue has processed by then.
  @Test func everyActionReturnsItsOutcome() throws {
    _ = try model.create(id, try spec("every 1h x3"), restoring: nil)
    let actions: [TimerAction] = [
      .toggle, .adjustIterations(by: 2), .adjustIterations(by: -1), .toggle, .reset(restart: true),
    ]
    let outcomes = actions.flatMap { control($0) }
    #expect(outcomes.allSatisfy { if case .changed = $0.result { true } else { false } })
    #expect(outcomes.map(\.before.state) == [.running, .paused, .paused, .paused, .running])
    #expect(outcomes.map(\.after.state) == [.paused, .paused, .paused, .running, .running])
    #expect(outcomes.compactMap { repeater($0.after)?.remainingIterations } == [3, 5, 4, 4, 3])
  }

  /// The timer decides: a key pressed twice has the effect of two presses, in order.
  @Test func twoTogglesAreBothPerformed() throws {
    _ = try model.create(id, try spec("1h"), restoring: nil)
    #expect(
      (1...4).flatMap { _ in control(.toggle) }.map(\.after.state)
        == [.paused, .running, .paused, .running])
  }

  /// A fire is delivered before the next action, which could otherwise revoke it.
  @Test(.serialized, arguments: 1...50)
  func aFireIsNotRevokedByTheNextAction(attempt: Int) throws {
    _ = try model.create(id, try spec("every 1h x3"), restoring: nil)
    let fired = try #require(control(.fire(pausing: false)).first)
    let paused = try #require(control(.toggle).first)
    #expect([fired, paused].compactMap { repeater($0.after)?.remainingIterations } == [2, 2])
    #expect(paused.after.state == .paused && paused.after.deliveredCount == 1)
  }

  /// An action on many timers takes longer than TimerKit delivers events at a time. All are delivered before the
  /// next action.
  @Test func firesOfManyTimersAreNotRevoked() throws {
    let ids = (1...3000).map { TimerID($0) }
    for id in ids { _ = try model.create(id, try spec("every 1h x3"), restoring: nil) }
    let now = ClockReading.now()
    let fired = model.control(.fire(pausing: false), ids, at: now)
    let paused = model.control(.toggle, ids, at: now)
    for outcomes in [fired, paused] {
      #expect(outcomes.count == ids.count)
      #expect(outcomes.allSatisfy { repeater($0.after)?.remainingIterations == 2 })
    }
  }

  /// The event of a fire comes before the outcome of its action and of all later actions.
  @Test func eventsAndOutcomesAreInOrder() throws {
    _ = try model.create(id, try spec("every 10m x3"), restoring: nil)
    control(.fire(pausing: false))
    #expect(reader.messages.contains { if case .fired = $0.event { true } else { false } })
    let count = reader.messages.count
    control(.pause)
    control(.adjustTime(.exactly(.minutes(5))))
    #expect(reader.messages.dropFirst(count).allSatisfy { $0.status.deliveredCount == 1 })
  }

  /// The first of many pending events changes the timer, as a chain does: the other events have the
  /// earlier state, and are not the last.
  @Test func anOlderEventDoesNotReplaceAnOutcome() async throws {
    _ = try model.create(id, try spec("every 1ms"), restoring: nil)
    reader.onFirstMessage = { [model, id] in
      _ = model.control(.adjustTime(.exactly(.hours(1))), [id], at: .now())
    }
    let end = TimerClock.continuous.now.advanced(by: .milliseconds(50))
    while TimerClock.continuous.now < end {}
    try await until { !reader.messages.isEmpty }
    let deadline = try #require(reader.messages.last.flatMap { repeater($0.status)?.deadline })
    #expect(deadline > end.advanced(by: .minutes(50)))
  }

  @Test(arguments: [
    "1h", "every 1h x3", "cycle 1h/1h", "stopwatch", "debounce 1h", "idle 1h", "at 23:59",
    "daily 12am x2",
  ])
  func everyKindReturnsOutcomes(timer: String) throws {
    _ = try model.create(id, try spec(timer), restoring: nil)
    let actions: [TimerAction] = [.start, .fire(pausing: false), .skip, .lap, .pause]
    for action in actions { #expect(control(action).map(\.id) == [id]) }
    model.remove(id)
    #expect(control(.start).isEmpty)
  }

  /// The board allows none of these; the outcome has the reason.
  @Test(arguments: [
    (TimerAction.setInterval(.zero, .fromNow), "invalid interval 0.0 seconds"),
    (.adjustIterations(by: -5), "at its last iteration"),
  ])
  func anInvalidActionIsRefused(_ action: TimerAction, _ reason: String) throws {
    _ = try model.create(id, try spec("every 1h x3"), restoring: nil)
    let outcome = try #require(control(action).first)
    guard case .refused(let refusal) = outcome.result else {
      Issue.record("\(outcome.result)")
      return
    }
    #expect(refusal.text.hasPrefix(reason), "\(refusal.text)")
    #expect(outcome.before == outcome.after)
  }

  @Test func aTimerIsRestored() throws {
    let checkpoint = Repeater.Checkpoint(
      configuration: .init(.interval(.minutes(10)), mode: .finite(5)), state: .paused,
      remainingIterations: 4, timeLeft: .seconds(90), takenAt: ClockReading.now().wall)
    let status = try model.create(
      id, try spec("tea=every 10m x5"), restoring: .repeater(checkpoint))
    let restored = try #require(repeater(status))
    #expect(restored.state == .paused && restored.remainingIterations == 4)
    #expect(restored.pausedTimeLeft == .seconds(90))
  }

  @Test func aRemovedTimerSendsNoEvents() async throws {
    _ = try model.create(id, try spec("every 1ms"), restoring: nil)
    try await until { reader.messages.count > 10 }
    control(.fire(pausing: false))
    model.remove(id)
    #expect(!reader.messages.contains(where: model.isLive))
    #expect(control(.fire(pausing: false)).isEmpty)
    let other = TimerID(2)
    _ = try model.create(other, try spec("every 5ms x10"), restoring: nil)
    try await until { reader.messages.contains { $0.id == other } }
    // All events posted before have arrived, and no more will.
    let count = reader.messages.filter { $0.id == id }.count
    try await until { reader.messages.contains { $0.status.state == .finished } }
    #expect(reader.messages.filter { $0.id == id }.count == count)
    #expect(reader.messages.filter(model.isLive).allSatisfy { $0.id == other })
  }

  @Test func anotherTimerCanReuseTheID() async throws {
    _ = try model.create(id, try spec("every 1ms"), restoring: nil)
    try await until { reader.messages.count > 10 }
    let status = try model.create(id, try spec("1h"), restoring: nil)
    #expect(repeater(status)?.configuration.mode == .once)
    control(.pause)
    try await until { reader.messages.contains(where: model.isLive) }
    let live = reader.messages.filter(model.isLive)
    #expect(live.allSatisfy { repeater($0.status)?.configuration.mode == .once })
  }

  private func repeater(_ status: TimerStatus) -> Repeater.Snapshot? {
    if case .repeater(let snapshot) = status { snapshot } else { nil }
  }
}
