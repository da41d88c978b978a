import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The time and count that an edit keeps.
@Suite struct EditTests {
  /// An edit without a name keeps it, and a timer without one is not described twice.
  @Test func anEditWithoutANameKeepsTheName() throws {
    let fixture = try Fixture("sets=every 45s x8 every 1m x3", width: 100)
    #expect(fixture.lines[4].contains("every 1m ×3") && fixture.lines[4].contains("  3/3  "))
    fixture.type("e")
    fixture.press(.control("u"))
    fixture.type("every 50s x8")
    #expect(fixture.lines.contains { $0.contains("sets · every 50s ×8") })
    fixture.press(.enter)
    #expect(fixture.dashboard.rows[0].spec.text == "sets=every 50s x8")
  }

  /// The header names what the user waits for, and an endless interval only if there is nothing else.
  @Test func theHeaderNamesWhatTheUserWaitsFor() throws {
    let fixture = try Fixture("blink=every 500ms tea=3m", width: 140)
    #expect(fixture.lines[0].contains("next tea in 3:00"))
    fixture.type("jd")
    #expect(fixture.lines[0].contains("next blink in 0:01"))
  }

  /// Runs `line` for ten seconds and edits its only timer to `text`.
  private func edited(_ line: String, to text: String, pressing keys: String = "") throws -> Fixture
  {
    let fixture = try Fixture(line)
    fixture.advance(by: .seconds(10))
    fixture.type(keys + "e")
    fixture.press(.control("u"))
    fixture.type(text)
    fixture.press(.enter)
    #expect(fixture.dashboard.timerPrompt == nil)
    return fixture
  }

  @Test(arguments: [
    // Only the name and the note change: everything is kept.
    ("tea=3m", "mate=3m note hot", "mate is running with 170s, 1 left", "tea: renamed to mate"),
    ("tea=3m", "tea=3m note hot", "tea is running with 170s, 1 left", "tea: changed"),
    ("tea=3m", "tea=3m", "tea is running with 170s, 1 left", "tea: unchanged"),
    // A policy, a tolerance or a count changes: the time is kept.
    (
      "tea=3m", "tea=3m tolerance 5s", "tea is running with 170s, 1 left",
      "tea: changed to once 3m, 2:50 left"
    ),
    (
      "a=every 4s x8", "a=every 4s x10", "a is running with 2s, 8 left",
      "a: changed to every 4s ×10, 0:02 left"
    ),
    (
      "a=every 4s x8", "a=every 4s x1", "a is running with 2s, 1 left",
      "a: changed to every 4s ×1, 0:02 left"
    ),
    (
      "a=every 4s x8", "a=every 4s", "a is running with 2s, ∞ left",
      "a: changed to every 4s, 0:02 left"
    ),
    (
      "a=every 4s", "a=every 4s x5", "a is running with 2s, 5 left",
      "a: changed to every 4s ×5, 0:02 left"
    ),
    (
      "a=3m", "a=every 3m x2", "a is running with 170s, 2 left",
      "a: changed to every 3m ×2, 2:50 left"
    ),
    // A different time restarts the timer.
    ("tea=3m", "tea=4m", "tea is running with 240s, 1 left", "tea: changed to once 4m, 4:00 left"),
    (
      "a=every 4s x8", "a=every 5s x8", "a is running with 5s, 8 left",
      "a: changed to every 5s ×8, 0:05 left"
    ),
    // `paused`, added or removed, acts as a command.
    ("tea=3m", "tea=3m paused", "tea is paused with 170s, 1 left", "tea: changed"),
    ("tea=3m paused", "tea=3m", "tea is running with 180s, 1 left", "tea: changed"),
    (
      "tea=3m", "tea=4m paused", "tea is paused with 240s, 1 left",
      "tea: changed to once 4m, 4:00 left"
    ),
    (
      "tea=3m", "tea=3m paused tolerance 5s", "tea is paused with 170s, 1 left",
      "tea: changed to once 3m, 2:50 left"
    ),
    // A finished timer restarts, unless it is only renamed.
    ("egg=5s", "eggs=5s", "eggs is finished", "egg: renamed to eggs"),
    ("egg=5s", "egg=6s", "egg is running with 6s, 1 left", "egg: changed to once 6s, 0:06 left"),
    (
      "egg=5s", "egg=5s missed delay", "egg is running with 5s, 1 left",
      "egg: changed to once 5s, 0:05 left"
    ),
    ("egg=5s", "egg=5s paused", "egg is idle", "egg: changed"),
  ])
  func keepsTheTimeWherePossible(_ line: String, _ text: String, _ result: String, _ notice: String)
    throws
  {
    let fixture = try edited(line, to: text)
    let row = fixture.dashboard.rows[0]
    let snapshot = try fixture.snapshot(row.name ?? "")
    var state = "\(row.label) is \(snapshot.state)"
    if let left = snapshot.timeLeft(at: fixture.now[snapshot.clock]) {
      let iterations = snapshot.remainingIterations.map(String.init) ?? "∞"
      state += " with \(left.components.seconds)s, \(iterations) left"
    }
    #expect(state == result)
    #expect(fixture.notice == notice)
    #expect(row.id == TimerID(1))
  }

  @Test(arguments: [
    ("c=cycle 3s/5s x2", "c=cycle 3s/5s x6", "work 0:01 5/6"),
    ("c=cycle 3s/3s x4", "c=cycle 3s/3s x3", "rest 0:02 2/3"),
    ("c=cycle 3s/3s x4", "c=cycle 3s/3s tolerance 1s", "rest 0:02 ∞"),
    // The last round has no rest.
    ("c=cycle 3s/3s x4", "c=cycle 3s/3s x2", "work 0:03 2/2"),
    ("c=cycle 3s/3s x4", "c=cycle 3s/3s x1", "work 0:03 1/1"),
    ("c=cycle 3s/3s x4", "c=cycle 3s/4s x4", "work 0:03 4/4"),
  ])
  func aCycleKeepsItsPhase(_ line: String, _ text: String, _ result: String) throws {
    let fixture = try edited(line, to: text)
    let timer = fixture.dashboard.rows[0]
    let texts = [timer.stateText, timer.timeText(at: fixture.now), timer.iterationsText]
    #expect(texts.compactMap { $0 }.joined(separator: " ") == result)
  }

  @Test func aStoppedTimerStaysStoppedWhenRenamed() throws {
    let fixture = try edited("tea=3m", to: "mate=3m paused", pressing: "R")
    #expect(try fixture.snapshot("mate").state == .idle)
  }

  /// The text to edit includes earlier changes by keys.
  @Test func theTextIsTheTimersCurrentSpec() throws {
    let fixture = try Fixture("'my tea'=every 3m x8 tolerance 2s missed burst 4 note 'two bags'")
    fixture.type(">e")
    #expect(
      fixture.dashboard.timerPrompt?.editor.text
        == "'my tea'=every 5m x8 tolerance 2s missed burst 4 note 'two bags'")
  }

  @Test func aDeletedTimerCannotBeEdited() throws {
    // Nothing can delete it while the prompt is open, but the edit must not trap if something does.
    let fixture = try Fixture("tea=3m")
    fixture.type("e")
    _ = fixture.board.perform(.delete([fixture.board.timers[0].id]), at: fixture.now)
    fixture.press(.enter)
    #expect(fixture.dashboard.rows.isEmpty)
  }

  /// The text of a timer is accepted as it is, even if a change since has made its settings contradict each other.
  @Test(arguments: [
    ("a=3m then b wait b=5m paused", "jdk"), ("every 30s backoff 1m run true", ">>"),
    ("every 1m jitter 50s", "<"),
  ])
  func theTextOfATimerIsAccepted(_ line: String, _ keys: String) throws {
    let fixture = try Fixture(line, width: 100)
    fixture.type(keys + "e note x")
    fixture.press(.enter)
    #expect(fixture.dashboard.timerPrompt == nil)
    #expect(fixture.dashboard.rows[0].note == "x", "\(fixture.lines)")
    // Otherwise the settings are checked.
    fixture.type("e")
    fixture.press(.control("u"))
    fixture.type("every 30s backoff 10s run true")
    fixture.press(.enter)
    #expect(fixture.dashboard.timerPrompt != nil || fixture.dashboard.rows[0].note == nil)
  }
}
