import Testing
import TimerKit

@testable import TimerBoard

/// The text of each kind in the grammar and on the board, and the options that apply to it.
@Suite struct KindTextTests {
  @Test(arguments: [
    ("3m", "once 3m"), ("every 45s x8", "every 45s ×8"), ("every 1h30m", "every 1h30m"),
    ("at 14:30", "at 14:30"), ("at 2027-01-31T09:00", "at 2027-01-31 09:00"),
    ("daily 09:55 x3", "daily 09:55 ×3"), ("weekdays 09:55", "weekdays 09:55"),
    ("every mon,thu 18:00", "every mon,thu 18:00"),
    ("daily 08:00 and 20:00 x3", "daily 08:00 and 20:00 ×3"),
    ("first monday of the month 09:00", "first monday of the month 09:00"),
    ("every 2h from 09:00 to 17:00", "every 2h from 09:00 to 17:00"),
    ("cron '0 9 * * *'", "cron '0 9 * * *'"), ("cycle 25m/5m x4", "cycle 25m/5m ×4"),
    ("cycle run 20s/walk 10s", "cycle 20s/10s"), ("stopwatch", "stopwatch"),
    ("debounce 2s max 10s both", "debounce 2s max 10s both"), ("throttle 5s", "throttle 5s"),
    ("throttle 5s deferred first", "throttle 5s deferred first"),
    ("throttle 5s nothing", "throttle 5s nothing"),
    ("coalesce 1m", "coalesce 1m"), ("idle 10m", "idle 10m"),
  ])
  func hasGrammarTextAndLabel(_ text: String, _ label: String) throws {
    let spec = try TimerSpec.parse(timer: text)
    #expect(spec.text == text)
    #expect(spec.kindText == label)
    let keyword = spec.kind.family.keyword.rawValue
    #expect(label.hasPrefix(keyword) || keyword == "daily")
  }

  /// The options that apply to each kind.
  @Test(arguments: [
    ("3m", "awake missed paused ring run then tolerance"),
    ("every 45s", "awake backoff jitter missed now paused ring run then tolerance"),
    ("at 14:30", "paused ring run then tolerance"),
    ("daily 14:30", "jitter missed paused ring run then tolerance"),
    ("cycle 1m", "awake paused ring run then tolerance"), ("stopwatch", "awake paused"),
    ("debounce 2s", "awake ring run tolerance"), ("throttle 2s", "awake ring run tolerance"),
    ("coalesce 2s", "awake ring run tolerance"), ("idle 2s", "awake ring run tolerance"),
  ])
  func acceptsItsOptions(_ line: String, _ words: String) throws {
    let spec = try TimerSpec.parse(timer: line)
    let settings = [
      "awake", "backoff", "jitter", "missed", "now", "paused", "ring", "run", "then", "tolerance",
    ]
    #expect(settings.filter(spec.accepts).joined(separator: " ") == words)
    #expect(spec.accepts("note"))
  }
}
