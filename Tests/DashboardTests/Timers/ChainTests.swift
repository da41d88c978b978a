import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Consequences of a fire: another timer, a repeated bell, a command.
@Suite struct ChainTests {
  @Test func theSuccessorStartsWhenATimerFinishes() throws {
    let fixture = try Fixture(
      "tea=3m then egg egg=5m paused then save save=debounce 2s", width: 100)
    #expect(fixture.lines[3].hasSuffix("→ egg"))
    #expect(fixture.lines[4].hasSuffix("once 5m → save"))
    fixture.advance(by: .minutes(3))
    #expect(fixture.lines[3].contains("done just now"))
    #expect(fixture.lines[4].contains("5:00  ▶ runs"))
    #expect(fixture.dashboard.board.log.entries.last?.event == .message("started by tea"))
    fixture.advance(by: .minutes(5))
    #expect(fixture.lines[5].contains("▶ pending"))
    fixture.advance(by: .seconds(2))
    #expect(fixture.lines[5].contains("1 triggered, 1 fired"))
  }

  /// The remarks of a cycle have room for the result and the successor beside the next phase.
  @Test func theSuccessorOfACycleIsShown() throws {
    let timers = "egg=5m paused pomodoro=cycle 25m/5m x4 then egg"
    let fixture = try Fixture(timers, width: 120)
    #expect(fixture.lines[4].hasSuffix("  then rest 5m · → egg"), "\(fixture.lines[4])")
    let other = try Fixture("\(timers) run x", width: 120)
    other.commandEnded(other.board.timers[1].id, CommandResult(.exited(0)))
    #expect(
      other.lines[4].hasSuffix("  exit 0 · then rest 5m · → egg"), "\(other.lines[4])")
  }

  @Test func aRunningSuccessorRestarts() throws {
    let fixture = try Fixture("tea=3s then egg egg=5m pomodoro=cycle 2s/1s x1 then egg")
    fixture.advance(by: .seconds(2))
    #expect(try fixture.timeLeft("egg") == .minutes(5))
    fixture.advance(by: .seconds(1))
    #expect(try fixture.timeLeft("egg") == .minutes(5))
    fixture.advance(by: .seconds(1))
    #expect(try fixture.timeLeft("egg") == .seconds(299))
  }

  @Test func chainsCanLoop() throws {
    let fixture = try Fixture("a=2s then b b=1s paused then a round=every 1s x2 then round")
    fixture.advance(by: .seconds(2))
    #expect(try fixture.snapshot("b").state == .running)
    fixture.advance(by: .seconds(1))
    #expect(try fixture.snapshot("a").state == .running)
    #expect(try fixture.snapshot("b").state == .finished)
    #expect(try fixture.snapshot("round").remainingIterations == 1)
    fixture.advance(by: .seconds(1))
    #expect(try fixture.snapshot("round").remainingIterations == 2)
    #expect(try fixture.snapshot("round").state == .running)
  }

  /// A `then` follows its timer when that is renamed, and renamed back.
  @Test func aRenamedSuccessorIsFollowed() throws {
    let fixture = try Fixture("tea=3s then egg egg=5m then egg")
    fixture.type("je")
    fixture.press(.control("u"))
    fixture.type("ei=5m then egg")
    #expect(fixture.lines.contains { $0.contains("unknown timer or group 'egg'") })
    fixture.press(.control("w"))
    fixture.type("ei")
    fixture.press(.enter)
    #expect(
      fixture.dashboard.rows.all.map(\.spec.text)
        == ["3s then ei", "5m then ei"].map {
          ($0.hasPrefix("3s") ? "tea=" : "ei=") + $0
        })
    fixture.type("u")
    #expect(fixture.dashboard.rows.all.map(\.spec.successor) == ["egg", "egg"])
    #expect(fixture.dashboard.rows[1].name == "egg")
  }

  @Test func aMissingSuccessorIsReported() throws {
    let fixture = try Fixture("tea=3s then g egg=5m group g", width: 100, height: 24)
    fixture.type("je")
    fixture.press(.control("u"))
    fixture.type("5m")
    fixture.press(.enter)
    fixture.press(.up)
    #expect(fixture.lines.contains { $0.contains("once 3s → g, which does not exist") })
    fixture.advance(by: .seconds(3))
    #expect(
      fixture.dashboard.board.log.entries.last?.event == .problem("no timer or group 'g' to start"))
    fixture.type("u")
    #expect(!fixture.lines.contains { $0.contains("which does not exist") })
    fixture.type("r")
    fixture.advance(by: .seconds(3))
    #expect(fixture.dashboard.board.log.entries.last?.event == .message("started by tea"))
  }

  @Test func aDeletedTimerLeavesItsChain() throws {
    let fixture = try Fixture("tea=3s then egg egg=5m", width: 100, height: 24)
    fixture.type("jd")
    #expect(fixture.notice == "egg: deleted; u restores it")
    #expect(!fixture.lines.contains { $0.contains("→ egg") })
    fixture.type("u")
    #expect(fixture.lines.contains { $0.contains("→ egg") })
    fixture.advance(by: .seconds(3))
    #expect(fixture.dashboard.board.log.entries.last?.event == .message("started by tea"))
  }

  @Test func theBellRepeatsUntilAKey() throws {
    let fixture = try Fixture("tea=3s ring sets=every 5s ring")
    fixture.advance(by: .seconds(4))
    #expect(fixture.lines[3].contains("♪ rang"))
    #expect(fixture.requests.filter { $0 == .repeatBell(true) }.count == 1)
    #expect(
      !fixture.requests.contains(.ringOnce)
        && !fixture.requests.contains(.repeatBell(false)))
    fixture.press(.space)
    #expect(fixture.requests.contains(.repeatBell(false)))
    #expect(fixture.lines[3].contains("✓ done"))
    #expect(fixture.notice == "tea: acknowledged at +0:01")
    fixture.advance(by: .seconds(1))
    #expect(fixture.lines[4].contains("♪ rang"))
    let before = fixture.requests.count
    fixture.press(.escape)
    #expect(fixture.requests[before...] == [.repeatBell(false)])
    fixture.press(.escape)
    #expect(fixture.requests.count == before + 1)
  }

  @Test func aCommandRunsAtEachFireAndReportsItsStatus() throws {
    let fixture = try Fixture(
      "poll=every 5s x3 run 'curl -sf x.org' note hourly tea=3m", width: 120, height: 20)
    fixture.advance(by: .seconds(5))
    let (command, run) = try #require(fixture.commands.last)
    #expect(command == "curl -sf x.org")
    #expect(run.spec.name == "poll" && run.fire?.lateness == .zero)
    #expect(run.machine.deliveredCount == 1)
    fixture.advance(by: .seconds(1))
    #expect(fixture.lines[3].contains("◆ executing"))
    #expect(fixture.dashboard.frame(at: fixture.now).nextRedraw != nil)
    #expect(fixture.lines[3].hasSuffix("hourly"))
    fixture.commandEnded(run.id, CommandResult(.exited(0), lastLine: "200\u{1b}[2J"))
    #expect(fixture.lines[3].contains("▶ runs"))
    #expect(fixture.lines[3].hasSuffix("exit 0 '200␛[2J' · hourly"), "\(fixture.lines[3])")
    #expect(fixture.lines.contains { $0.contains("run  curl -sf x.org   exit 0") })
    fixture.commandEnded(run.id, CommandResult(.killed(by: 9)), isRunning: true)
    #expect(
      fixture.lines[3].contains("◆ executing") && fixture.lines[3].hasSuffix("signal 9 · hourly"))
    fixture.type("du")
    #expect(fixture.lines[3].contains("▶ runs") && fixture.lines[3].hasSuffix("hourly"))
    fixture.commandEnded(TimerID(99), CommandResult(.timedOut))
  }

  @Test func failuresIncreaseTheIntervalUntilSuccess() throws {
    let fixture = try Fixture("poll=every 5s backoff 30s run x", width: 120, height: 24)
    let id = fixture.dashboard.rows[0].id
    func end(_ status: Int32) {
      fixture.commandEnded(id, CommandResult(.exited(status)))
    }
    for interval in [10, 20, 30, 30] {
      fixture.advance(by: .seconds(30))
      end(1)
      #expect(try fixture.snapshot("poll").configuration.interval == .seconds(interval))
      #expect(try fixture.timeLeft("poll") == .seconds(interval))
      #expect(fixture.lines[4].contains("every \(interval)s"))
      #expect(fixture.dashboard.rows[0].spec.text == "poll=every 5s backoff 30s run x")
    }
    end(0)
    #expect(try fixture.snapshot("poll").configuration.interval == .seconds(5))
    end(0)
    end(1)
    #expect(try fixture.snapshot("poll").configuration.interval == .seconds(10))
    #expect(
      fixture.dashboard.board.log.entries.last?.event.text == "exit 1, next in 10s")
    fixture.type(">")
    #expect(fixture.notice == "poll: interval 10s → 10s, 0:10 left")
    #expect(fixture.lines.contains { $0.contains("run  x   exit 1") })
    end(1)
    #expect(try fixture.snapshot("poll").configuration.interval == .seconds(20))
    // It returns as it was.
    fixture.type("du")
    #expect(try fixture.snapshot("poll").configuration.interval == .seconds(20))
    // A timer that does not run begins with its own interval.
    fixture.press(.space)
    end(1)
    #expect(try fixture.snapshot("poll").configuration.interval == .seconds(10))
  }

  @Test func failuresNeverDecreaseTheInterval() throws {
    let fixture = try Fixture("poll=every 30s backoff 40s run x")
    fixture.type(">>")
    #expect(try fixture.snapshot("poll").configuration.interval == .minutes(1))
    fixture.commandEnded(fixture.dashboard.rows[0].id, CommandResult(.timedOut))
    #expect(try fixture.snapshot("poll").configuration.interval == .minutes(1))
  }

  @Test(arguments: [
    ("3m ring", "once 3m · fires 14:32:05 · repeats the bell until a key is pressed"),
    ("tea=3m then tea", "tea · once 3m · fires 14:32:05 · then tea"),
    (
      "every 5s backoff 1m run 'a b'",
      "every 5s · first fires 14:29:10 · backs off to at most 1m · runs a b"
    ),
  ])
  func thePromptDescribesTheConsequences(_ text: String, _ meaning: String) throws {
    let fixture = try Fixture(width: 100)
    fixture.advance(by: .seconds(5))
    fixture.type("a\(text)")
    #expect(fixture.lines.contains { $0.contains(meaning) }, "\(fixture.lines)")
  }
}
