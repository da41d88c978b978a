import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// What a person is told who looks elsewhere.
@Suite struct NotificationTests {
  private func told(_ stage: Stage) -> [TimerNotification] {
    stage.boardEffects.compactMap { if case .notify(let told) = $0 { told } else { nil } }
  }

  @Test func whatFinishesRingsOrChangesItsPhase() throws {
    let stage = try Stage("tea=3s sets=every 1s x2 bell=every 2s x2 ring pomo=cycle 2s/1s x2 1h")
    stage.advance(by: .seconds(4))
    #expect(
      told(stage) == [
        TimerNotification(.finished, timer: "sets", text: "finished"),
        TimerNotification(.ring, timer: "bell", text: "fired, 1st of 2"),
        TimerNotification(.phase, timer: "pomo", text: "rest begins"),
        TimerNotification(.finished, timer: "tea", text: "finished"),
        TimerNotification(.phase, timer: "pomo", text: "work begins"),
        TimerNotification(.ring, timer: "bell", text: "finished"),
      ])
  }

  @Test func aCommandThatFailsIsToldOfOnce() throws {
    let stage = try Stage("poll=every 5s backoff 30s run x")
    let id = stage.dashboard.rows[0].id
    for status: Int32 in [0, 1, 1, 0, 7] {
      let result = CommandResult(.exited(status), lastLine: "no \u{1B}route")
      stage.apply(.commandEnded(id, result, isRunning: false))
    }
    #expect(
      told(stage) == [
        TimerNotification(.failed, timer: "poll", text: "exit 1, next in 10s 'no \u{1B}route'"),
        TimerNotification(.failed, timer: "poll", text: "exit 7, next in 10s 'no \u{1B}route'"),
      ])
  }

  @Test func mutedNothingIsTold() throws {
    let stage = try Stage("tea=3s bell=2s ring")
    stage.type("b")
    stage.advance(by: .seconds(3))
    stage.apply(
      .commandEnded(stage.dashboard.rows[0].id, CommandResult(.timedOut), isRunning: false))
    #expect(told(stage).isEmpty)
  }

  @Test func whatTheWorldTellsIsSeenAndLogged() throws {
    let stage = try Stage("tea=3m")
    stage.send(.info("the input has ended"))
    #expect(stage.notice == "the input has ended")
    #expect(stage.dashboard.board.log.entries.last?.event == .action("the input has ended"))
  }
}
