import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// What timers set off: another timer, the bell until a key is pressed, a command.
@Suite struct ChainTests {
  @Test func theNextTimerStartsWhenOneFinishes() throws {
    let stage = try Stage("tea=3m then egg egg=5m paused then save save=debounce 2s", width: 100)
    #expect(stage.lines[3].contains("once 3m → egg"))
    #expect(stage.lines[4].contains("once 5m → save  ‖ paused"))
    stage.advance(by: .minutes(3))
    #expect(stage.lines[3].contains("0 of 1"))
    #expect(stage.lines[4].contains("▶ running       5:00"))
    #expect(stage.dashboard.board.log.entries.last?.event == .startedBy("tea"))
    stage.advance(by: .minutes(5))
    #expect(stage.lines[5].contains("▶ pending"))
    stage.advance(by: .seconds(2))
    #expect(stage.lines[5].contains("1 triggered, 1 fired"))
  }

  @Test func whatRunsStartsAnew() throws {
    let stage = try Stage("tea=3s then egg egg=5m pomodoro=cycle 2s/1s x1 then egg")
    stage.advance(by: .seconds(2))
    #expect(try stage.timeLeft("egg") == .minutes(5))
    stage.advance(by: .seconds(1))
    #expect(try stage.timeLeft("egg") == .minutes(5))
    stage.advance(by: .seconds(1))
    #expect(try stage.timeLeft("egg") == .seconds(299))
  }

  @Test func aLoopGoesRound() throws {
    let stage = try Stage("a=2s then b b=1s paused then a round=every 1s x2 then round")
    stage.advance(by: .seconds(2))
    #expect(try stage.snapshot("b").state == .running)
    stage.advance(by: .seconds(1))
    #expect(try stage.snapshot("a").state == .running)
    #expect(try stage.snapshot("b").state == .finished)
    #expect(try stage.snapshot("round").remainingIterations == 1)
    stage.advance(by: .seconds(1))
    #expect(try stage.snapshot("round").remainingIterations == 2)
    #expect(try stage.snapshot("round").state == .running)
  }

  /// Who is named by a `then` can be given another name, and back.
  @Test func aNewNameIsFollowed() throws {
    let stage = try Stage("tea=3s then egg egg=5m then egg")
    stage.type("je")
    stage.press(.control("u"))
    stage.type("ei=5m then egg")
    #expect(stage.lines.contains { $0.contains("unknown timer 'egg'") })
    stage.press(.control("w"))
    stage.type("ei")
    stage.press(.enter)
    #expect(
      stage.dashboard.rows.all.map(\.spec.text)
        == ["3s then ei", "5m then ei"].map {
          ($0.hasPrefix("3s") ? "tea=" : "ei=") + $0
        })
    stage.type("u")
    #expect(stage.dashboard.rows.all.map(\.spec.next) == ["egg", "egg"])
    #expect(stage.dashboard.rows[1].name == "egg")
  }

  @Test func oneThatIsGoneIsMissed() throws {
    let stage = try Stage("tea=3s then egg egg=5m", width: 100)
    stage.type("je")
    stage.press(.control("u"))
    stage.type("5m")
    stage.press(.enter)
    stage.press(.up)
    #expect(stage.lines.contains { $0.contains("once 3s → egg, which does not exist") })
    stage.advance(by: .seconds(3))
    #expect(stage.dashboard.board.log.entries.last?.event == .noSuccessor("egg"))
    stage.type("u")
    #expect(!stage.lines.contains { $0.contains("which does not exist") })
    stage.press(.up)
    stage.type("r")
    stage.advance(by: .seconds(3))
    #expect(stage.dashboard.board.log.entries.last?.event == .startedBy("tea"))
  }

  @Test func oneThatIsDeletedLeavesItsChain() throws {
    let stage = try Stage("tea=3s then egg egg=5m", width: 100)
    stage.type("jd")
    #expect(stage.notice == "egg: deleted; u restores it")
    #expect(!stage.lines.contains { $0.contains("→ egg") })
    stage.type("u")
    #expect(stage.lines.contains { $0.contains("once 3s → egg") })
    stage.advance(by: .seconds(3))
    #expect(stage.dashboard.board.log.entries.last?.event == .startedBy("tea"))
  }

  @Test func itRingsUntilAKeyIsPressedWhichActsAsWell() throws {
    let stage = try Stage("tea=3s ring sets=every 5s ring")
    stage.advance(by: .seconds(4))
    #expect(stage.lines[3].contains("♪ ringing"))
    #expect(stage.boardEffects.filter { $0 == .repeatBell(true) }.count == 1)
    #expect(!stage.boardEffects.contains(.ring) && !stage.boardEffects.contains(.repeatBell(false)))
    stage.press(.space)
    #expect(stage.boardEffects.contains(.repeatBell(false)))
    #expect(stage.lines[3].contains("▶ running"))
    #expect(stage.notice == "tea: restarted, 0:03 left")
    stage.advance(by: .seconds(1))
    #expect(stage.lines[4].contains("♪ ringing"))
    let before = stage.effects.count
    stage.press(.escape)
    #expect(stage.effects[before...] == [.board(.repeatBell(false))])
    stage.press(.escape)
    #expect(stage.effects.count == before + 1)
  }

  @Test func aCommandRunsAtEachFireAndTellsHowItEnded() throws {
    let stage = try Stage(
      "poll=every 5s x3 run 'curl -sf x.org' note hourly tea=3m", width: 120, height: 20)
    stage.advance(by: .seconds(5))
    guard
      case .run("curl -sf x.org", let id, let spec, let fire, let status)? =
        stage.boardEffects.last
    else {
      Issue.record("no command was asked for: \(stage.effects)")
      return
    }
    #expect(spec.name == "poll" && fire.lateness == .zero)
    #expect(status.deliveredCount == 1)
    stage.advance(by: .seconds(1))
    #expect(stage.lines[3].contains("◆ executing"))
    #expect(stage.dashboard.frame(at: stage.now).nextRedraw != nil)
    #expect(stage.lines[3].hasSuffix("hourly"))
    stage.apply(
      .commandEnded(id, CommandResult(.exited(0), lastLine: "200\u{1b}[2J"), isRunning: false))
    #expect(stage.lines[3].contains("▶ running"))
    #expect(stage.lines[3].hasSuffix("exit 0 '200␛[2J'"), "\(stage.lines[3])")
    #expect(stage.lines.contains { $0.contains("run  curl -sf x.org   exit 0") })
    stage.apply(.commandEnded(id, CommandResult(.killed(by: 9)), isRunning: true))
    #expect(stage.lines[3].contains("◆ executing") && stage.lines[3].hasSuffix("signal 9"))
    stage.type("du")
    #expect(stage.lines[3].contains("▶ running") && stage.lines[3].hasSuffix("hourly"))
    stage.apply(.commandEnded(TimerID(99), CommandResult(.timedOut), isRunning: false))
  }

  @Test func failuresLetTheIntervalGrowUntilItSucceeds() throws {
    let stage = try Stage("poll=every 5s backoff 30s run x", width: 120)
    let id = stage.dashboard.rows[0].id
    func end(_ status: Int32) {
      stage.apply(.commandEnded(id, CommandResult(.exited(status)), isRunning: false))
    }
    for interval in [10, 20, 30, 30] {
      stage.advance(by: .seconds(30))
      end(1)
      #expect(try stage.snapshot("poll").configuration.interval == .seconds(interval))
      #expect(try stage.timeLeft("poll") == .seconds(interval))
      #expect(stage.lines[3].contains("every 5s"))
      #expect(stage.dashboard.rows[0].spec.text == "poll=every 5s backoff 30s run x")
    }
    end(0)
    #expect(try stage.snapshot("poll").configuration.interval == .seconds(5))
    end(0)
    end(1)
    #expect(try stage.snapshot("poll").configuration.interval == .seconds(10))
    #expect(
      stage.dashboard.board.log.entries.last?.event.text == "exit 1, next in 10s")
    stage.type(">")
    #expect(stage.notice == "poll: interval 10s → 10s, 0:10 left")
    #expect(stage.lines.contains { $0.contains("run  x   exit 1") })
    end(1)
    #expect(try stage.snapshot("poll").configuration.interval == .seconds(20))
    stage.type("du")
    #expect(try stage.snapshot("poll").configuration.interval == .seconds(10))
    stage.press(.space)
    end(1)
    #expect(try stage.snapshot("poll").configuration.interval == .seconds(10))
  }

  @Test func failuresNeverMakeItShorter() throws {
    let stage = try Stage("poll=every 30s backoff 40s run x")
    stage.type(">>")
    #expect(try stage.snapshot("poll").configuration.interval == .minutes(1))
    stage.apply(
      .commandEnded(stage.dashboard.rows[0].id, CommandResult(.timedOut), isRunning: false))
    #expect(try stage.snapshot("poll").configuration.interval == .minutes(1))
  }

  @Test(arguments: [
    ("3m ring", "once 3m · fires 14:32:05 · repeats the bell until a key is pressed"),
    ("tea=3m then tea", "tea · once 3m · fires 14:32:05 · then tea"),
    (
      "every 5s backoff 1m run 'a b'",
      "every 5s · first fires 14:29:10 · backs off to at most 1m · runs a b"
    ),
  ])
  func thePromptTellsWhatItSetsOff(_ text: String, _ meaning: String) throws {
    let stage = try Stage(width: 100)
    stage.advance(by: .seconds(5))
    stage.type("a\(text)")
    #expect(stage.lines.contains { $0.contains(meaning) }, "\(stage.lines)")
  }
}
