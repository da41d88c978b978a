import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Notifications for a user of another program or window.
@Suite struct NotificationTests {
  private func notifications(_ fixture: Fixture) -> [TimerNotification] {
    fixture.requests.compactMap {
      if case .notify(let notification) = $0 { notification } else { nil }
    }
  }

  @Test func finishesRingsAndPhasesAreNotified() throws {
    let fixture = try Fixture(
      "tea=3s sets=every 1s x2 bell=every 2s x2 ring pomo=cycle 2s/1s x2 1h")
    fixture.advance(by: .seconds(4))
    #expect(
      notifications(fixture) == [
        TimerNotification(event: .finished, timer: "sets", text: "finished"),
        TimerNotification(event: .ring, timer: "bell", text: "fired, 1st of 2"),
        TimerNotification(event: .phase, timer: "pomo", text: "rest begins"),
        TimerNotification(event: .finished, timer: "tea", text: "finished"),
        TimerNotification(event: .phase, timer: "pomo", text: "work begins"),
        TimerNotification(event: .ring, timer: "bell", text: "finished"),
      ])
  }

  @Test func aFailingCommandIsNotifiedOnce() throws {
    let fixture = try Fixture("poll=every 5s backoff 30s run x")
    let id = fixture.dashboard.rows[0].id
    for status: Int32 in [0, 1, 1, 0, 7] {
      let result = CommandResult(.exited(status), lastLine: "no \u{1B}route")
      fixture.commandEnded(id, result)
    }
    #expect(
      notifications(fixture) == [
        TimerNotification(
          event: .failed, timer: "poll", text: "exit 1, next in 10s 'no \u{1B}route'"),
        TimerNotification(
          event: .failed, timer: "poll", text: "exit 7, next in 10s 'no \u{1B}route'"),
      ])
  }

  @Test func aMutedDashboardDoesNotNotify() throws {
    let fixture = try Fixture("tea=3s bell=2s ring")
    fixture.type("b")
    fixture.advance(by: .seconds(3))
    fixture.commandEnded(fixture.dashboard.rows[0].id, CommandResult(.timedOut))
    #expect(notifications(fixture).isEmpty)
  }

  @Test func programMessagesAreShownAndLogged() throws {
    let fixture = try Fixture("tea=3m")
    fixture.send(.info("the input has ended"))
    #expect(fixture.notice == "the input has ended")
    #expect(fixture.dashboard.board.log.entries.last?.event == .message("the input has ended"))
  }
}
