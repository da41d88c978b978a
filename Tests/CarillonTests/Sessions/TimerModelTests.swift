import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// The model with timers of the system's clocks, on the main queue.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct TimerModelTests {
  private final class Changes: TimerServices {
    var transitions: [Transition] = []

    func run(_ command: String, for fire: Transition) {}
    func dropWaitingCommands(of id: TimerID) -> Bool { false }
    func ringOnce() {}
    func repeatBell(_ isOn: Bool) {}
    func notify(_ notification: TimerNotification) {}
    func changed(_ change: BoardChange) { transitions += change.transitions }
  }

  private let changes = Changes()
  private let model: TimerModel
  private var timer: BoardTimer { model.board.timers[0] }

  init() {
    let reference = WeakReference<TimerModel>()
    model = .live(isMuted: true) { reference.object?.receive() }
    reference.object = model
    model.services = changes
  }

  private func start(_ line: String) throws {
    #expect(model.perform(.start(try TimerSpec.parse(arguments: [line]))).isEmpty)
  }

  @discardableResult
  private func control(_ action: TimerAction) -> [Report] {
    model.perform(.control(action, model.board.timers.all.map(\.id)))
  }

  /// Timers that became due during a hand-over fire while they are being created.
  @Test func noFireOfARestoredTimerIsLost() async throws {
    let count = 2_000
    var saved = SavedTimer(
      startOf: try #require(try TimerSpec.parse(arguments: ["every 1s x1"]).first), at: .now())
    saved.elapse(.seconds(2))
    let timers = Array(repeating: saved, count: count)
    #expect(model.perform(.takeOver(timers, SavedBoard(), after: .zero)).isEmpty)
    try await until { changes.transitions.count { $0.fire != nil } == count }
  }

  @Test func firesArriveInOrderWithTheirState() async throws {
    try start("every 5ms x20 missed burst 100")
    try await until { timer.status.state == .finished }
    let fires = changes.transitions.filter { $0.fire != nil }
    #expect(fires.compactMap { $0.fire?.iteration } == Array(1...20))
    #expect(fires.map(\.status.deliveredCount) == Array(1...20))
    #expect(fires.map(\.event) == Array(repeating: .fired, count: 19) + [.finished])
  }

  /// The timer decides: a key pressed twice has the effect of two presses, in order.
  @Test func twoTogglesAreBothPerformed() throws {
    try start("1h")
    var states: [TimerState] = []
    for _ in 1...4 {
      control(.toggle)
      states.append(timer.status.state)
    }
    #expect(states == [.paused, .running, .paused, .running])
  }

  /// A fire is delivered before the next action, which could otherwise revoke it; also if an action on many timers takes
  /// longer than TimerKit delivers events at a time.
  @Test(arguments: [1, 2, 3000]) func aFireIsNotRevokedByTheNextAction(count: Int) throws {
    let spec = try #require(try TimerSpec.parse(arguments: ["every 1h x3"]).first)
    _ = model.perform(.start(Array(repeating: spec, count: count)))
    for round in 1...2 {
      control(.fire(pausing: false))
      control(.toggle)
      #expect(model.board.timers.all.allSatisfy { $0.status.deliveredCount == round })
      control(.toggle)
    }
  }

  /// The first of many pending events changes the timer, as a chain does: the other events have an earlier state, and do
  /// not hide the newer one.
  @Test func anOlderEventDoesNotReplaceAnOutcome() async throws {
    try start("every 1ms")
    let end = TimerClock.continuous.now.advanced(by: .milliseconds(50))
    while TimerClock.continuous.now < end {}
    control(.adjustTime(.exactly(.hours(1))))
    let deadline = try #require(timer.status.deadline)
    #expect(deadline > end.advanced(by: .minutes(50)))
    model.receive()
    #expect(timer.status.deadline == deadline)
  }

  @Test func aRemovedTimerSendsNoEvents() async throws {
    try start("a=every 1ms b=every 5ms x10")
    try await until { timer.status.deliveredCount > 10 }
    _ = model.perform(.delete([timer.id]))
    changes.transitions = []
    try await until { timer.status.state == .finished }
    #expect(!changes.transitions.contains { $0.spec.name == "a" })
  }

  @Test func aHandOverKeepsWhatTheTimersHave() throws {
    try start("every 1h x3 stopwatch debounce 1h")
    control(.fire(pausing: false))
    model.stop()
    let before = model.board.timers[0].status
    model.restart()
    let after = model.board.timers[0].status
    #expect(before.iterations == .counted(left: 2, of: 3) && after.iterations == before.iterations)
    #expect(after.state == .running)
  }
}
