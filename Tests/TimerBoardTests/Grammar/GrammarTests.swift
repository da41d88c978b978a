import Fuzzing
import Testing
import TimerBoardFixtures
import TimerKit

@testable import TimerBoard

@Suite struct GrammarTests {
  @Test(
    arguments: [
      ("3m", [TimerSpec(kind: .once(.minutes(3)))]),
      ("once 3m", [TimerSpec(kind: .once(.minutes(3)))]),
      ("tea=3m", [TimerSpec(name: "tea", kind: .once(.minutes(3)))]),
      ("tea = 3m", [TimerSpec(name: "tea", kind: .once(.minutes(3)))]),
      ("tea= 3m", [TimerSpec(name: "tea", kind: .once(.minutes(3)))]),
      ("tea =3m", [TimerSpec(name: "tea", kind: .once(.minutes(3)))]),
      ("  tea=3m\n", [TimerSpec(name: "tea", kind: .once(.minutes(3)))]),
      ("sets=every 45s x8", [TimerSpec(name: "sets", kind: .every(.seconds(45), count: 8))]),
      ("every 45s ×8", [TimerSpec(kind: .every(.seconds(45), count: 8))]),
      ("every 45s paused x8", [TimerSpec(kind: .every(.seconds(45), count: 8), isPaused: true)]),
      ("every 1s", [TimerSpec(kind: .every(.seconds(1), count: nil))]),
      (
        "1h tolerance 1m missed delay note oolong",
        [
          TimerSpec(
            kind: .once(.hours(1)), tolerance: .minutes(1), missedTicks: .delay, note: "oolong")
        ]
      ),
      ("1h tolerance 0s", [TimerSpec(kind: .once(.hours(1)))]),
      (
        "every 1s missed burst",
        [TimerSpec(kind: .every(.seconds(1), count: nil), missedTicks: .burst(limit: 10))]
      ),
      (
        "every 1s missed burst 3",
        [TimerSpec(kind: .every(.seconds(1), count: nil), missedTicks: .burst(limit: 3))]
      ),
      ("every 1s missed skip", [TimerSpec(kind: .every(.seconds(1), count: nil))]),
      ("3m note 'two bags'", [TimerSpec(kind: .once(.minutes(3)), note: "two bags")]),
      (#"3m note "it's \"hot\"""#, [TimerSpec(kind: .once(.minutes(3)), note: "it's \"hot\"")]),
      ("3m note ''", [TimerSpec(kind: .once(.minutes(3)), note: "")]),
      ("3m note a=b", [TimerSpec(kind: .once(.minutes(3)), note: "a=b")]),
      ("3m note paused", [TimerSpec(kind: .once(.minutes(3)), note: "paused")]),
      ("'my tea'=3m", [TimerSpec(name: "my tea", kind: .once(.minutes(3)))]),
      ("'a=b'=3m", [TimerSpec(name: "a=b", kind: .once(.minutes(3)))]),
      ("'every'=3m", [TimerSpec(name: "every", kind: .once(.minutes(3)))]),
      ("tea's=3m", [TimerSpec(name: "tea's", kind: .once(.minutes(3)))]),
      ("x8=3m", [TimerSpec(name: "x8", kind: .once(.minutes(3)))]),
      ("每日=every 10s", [TimerSpec(name: "每日", kind: .every(.seconds(10), count: nil))]),
      (
        "pomodoro=cycle 25m/5m x4",
        [
          TimerSpec(
            name: "pomodoro",
            kind: .cycle([.init("work", .minutes(25)), .init("rest", .minutes(5))], rounds: 4))
        ]
      ),
      (
        "cycle warm 1m / 'x 2' 30s/ 10s x3 paused 5s",
        [
          TimerSpec(
            kind: .cycle(
              [
                .init("warm", .minutes(1)), .init("x 2", .seconds(30)),
                .init("phase 3", .seconds(10)),
              ], rounds: 3), isPaused: true),
          TimerSpec(kind: .once(.seconds(5))),
        ]
      ),
      ("lap=stopwatch paused", [TimerSpec(name: "lap", kind: .stopwatch, isPaused: true)]),
      (
        "save=debounce 2s max 10s both stopwatch",
        [
          TimerSpec(
            name: "save", kind: .debounce(.seconds(2), maxWait: .seconds(10), edges: .both)),
          TimerSpec(kind: .stopwatch),
        ]
      ),
      (
        "debounce 2s leading max 3s tolerance 1s",
        [
          TimerSpec(
            kind: .debounce(.seconds(2), maxWait: .seconds(3), edges: .leading),
            tolerance: .seconds(1))
        ]
      ),
      (
        "throttle 5s first deferred throttle 5s nothing throttle 1s",
        [
          TimerSpec(kind: .throttle(.seconds(5), mode: .deferred, keeps: .first)),
          TimerSpec(kind: .throttle(.seconds(5), mode: .fromDelivery, keeps: .nothing)),
          TimerSpec(kind: .throttle(.seconds(1), mode: .fromDelivery, keeps: .latest)),
        ]
      ),
      (
        "coalesce 1m idle 10m",
        [TimerSpec(kind: .coalesce(.minutes(1))), TimerSpec(kind: .idle(.minutes(10)))]
      ),
      ("lunch=at 12:30", [TimerSpec(name: "lunch", kind: .at(.daily(12, 30)))]),
      ("at 9:05:07", [TimerSpec(kind: .at(.daily(9, 5, 7)))]),
      (
        "at 2pm at 2:30 PM",
        [TimerSpec(kind: .at(.daily(14))), TimerSpec(kind: .at(.daily(14, 30)))]
      ),
      (
        "at 12am 12pm=3m",
        [TimerSpec(kind: .at(.daily(0))), TimerSpec(name: "12pm", kind: .once(.minutes(3)))]
      ),
      (
        "newyear=at 2027-01-01T00:00 at 2027-01-31 8:15am",
        [
          TimerSpec(name: "newyear", kind: .at(.date(2027, 1, 1, 0, 0))),
          TimerSpec(kind: .at(.date(2027, 1, 31, 8, 15))),
        ]
      ),
      ("daily 23:59:59 x3", [TimerSpec(kind: .daily(.daily(23, 59, 59), count: 3))]),
      (
        "standup=weekdays 09:55 missed delay tolerance 1s",
        [
          TimerSpec(
            name: "standup", kind: .daily(.daily(9, 55, on: .mondayToFriday), count: nil),
            tolerance: .seconds(1), missedTicks: .delay)
        ]
      ),
      (
        "every Mon,thursday 18:00 every saturday 9am",
        [
          TimerSpec(kind: .daily(.daily(18, on: [.monday, .thursday]), count: nil)),
          TimerSpec(kind: .daily(.daily(9, on: .saturday), count: nil)),
        ]
      ),
      (
        "tea=3m then egg egg=5m ring then tea",
        [
          TimerSpec(name: "tea", kind: .once(.minutes(3)), successor: "egg"),
          TimerSpec(name: "egg", kind: .once(.minutes(5)), sound: .ring, successor: "tea"),
        ]
      ),
      (
        "round=every 1m x3 then round",
        [TimerSpec(name: "round", kind: .every(.minutes(1), count: 3), successor: "round")]
      ),
      (
        "poll=every 30s x5 now jitter 10s now=5m jitter=1m",
        [
          TimerSpec(name: "poll", kind: .every(.seconds(30), count: 5))
            .starting(now: true, jitter: .seconds(10)),
          TimerSpec(name: "now", kind: .once(.minutes(5))),
          TimerSpec(name: "jitter", kind: .once(.minutes(1))),
        ]
      ),
      (
        "daily 9:00 jitter 10m",
        [
          TimerSpec(kind: .daily(.daily(9), count: nil)).starting(now: false, jitter: .minutes(10))
        ]
      ),
      (
        "poll=every 5s backoff 5m run 'curl -sf example.org' ring",
        [
          TimerSpec(
            name: "poll", kind: .every(.seconds(5), count: nil), command: "curl -sf example.org",
            backoff: .minutes(5), sound: .ring)
        ]
      ),
      (
        "save=debounce 2s run make",
        [
          TimerSpec(
            name: "save", kind: .debounce(.seconds(2), maxWait: nil, edges: .trailing),
            command: "make")
        ]
      ),
      (
        "tea=3m every 30s x10 paused 90s",
        [
          TimerSpec(name: "tea", kind: .once(.minutes(3))),
          TimerSpec(kind: .every(.seconds(30), count: 10), isPaused: true),
          TimerSpec(kind: .once(.seconds(90))),
        ]
      ),
    ] as [(String, [TimerSpec])])
  func parsesTimers(_ line: String, _ specs: [TimerSpec]) throws {
    #expect(try TimerSpec.parse(arguments: [line]) == specs)
  }

  @Test func parsesShellArguments() throws {
    let tea = TimerSpec(name: "tea", kind: .once(.minutes(3)), note: "two bags, it's hot")
    let next = TimerSpec(kind: .every(.seconds(30), count: 2))
    #expect(
      try TimerSpec.parse(arguments: ["tea=3m", "note", "two bags, it's hot", "every", "30s", "x2"])
        == [tea, next])
    #expect(
      try TimerSpec.parse(arguments: ["tea=3m note", "two bags, it's hot", "every 30s x2"])
        == [tea, next])
    // One argument with the complete line has its own quotes.
    #expect(
      try TimerSpec.parse(arguments: ["tea=3m note \"two bags, it's hot\"  every 30s x2"])
        == [tea, next])
    #expect(try TimerSpec.parse(arguments: ["3m", "note", ""]).first?.note == "")
  }

  @Test func trustedTextIsNotValidated() throws {
    let text = "poll=every 1m backoff 30s run x tea=3m then egg at 2020-01-01T00:00"
    #expect(throws: TimerSyntaxError.self) { try TimerSpec.parse(arguments: [text]) }
    let specs = try TimerSpec.parse(arguments: [text], in: .trusted)
    #expect(specs.map(\.text).joined(separator: " ") == text)
  }

  @Test func aCommandCanApplyToAllTimers() throws {
    let context = TimerContext(hasCommand: true)
    let spec = try TimerSpec.parse(arguments: ["every 5s backoff 5m"], in: context).first
    #expect(spec?.backoff == .minutes(5))
  }

  @Test func formattedTextParsesAsTheSame() throws {
    var random = SplitMix(state: 2)
    for _ in 0..<3_000 {
      let specs = (0..<Int.random(in: 1...3, using: &random)).map { _ in
        TimerSpec.random(using: &random)
      }
      let texts = specs.map(\.text)
      let names = TimerContext(names: specs.compactMap(\.successor))
      #expect(try TimerSpec.parse(entries: texts, in: names) == specs, "\(texts)")
      #expect(try TimerSpec.parse(entries: texts, in: .trusted) == specs, "\(texts)")
    }
  }
}

extension TimerSpec {
  fileprivate func starting(now: Bool, jitter: Duration) -> TimerSpec {
    var spec = self
    (spec.startsNow, spec.jitter) = (now, jitter)
    return spec
  }
}
