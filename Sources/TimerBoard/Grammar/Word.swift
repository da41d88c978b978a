import TimerKit

/// A word that can follow a kind: what the parser, the texts of a timer, the help and the hints know of it. Adding a word
/// takes its row here and a property of ``TimerSpec``.
struct Word: Sendable {
  typealias Parse =
    @Sendable (inout TimerParser, inout TimerSpec) throws(TimerSyntaxError) -> Void

  let name: String
  /// The kinds that can have it.
  let kinds: [Keyword]
  /// A Boolean value that indicates whether it is a name before `=`, because older sessions and configurations use it as
  /// one.
  var canBeName = false
  /// A Boolean value that indicates whether something must follow it.
  var needsArgument = false
  /// A Boolean value that indicates whether a text follows it, which can be any word.
  var takesText = false
  /// A Boolean value that indicates whether a change of it recreates the live timer.
  var changesTimer = false
  /// A Boolean value that indicates whether the details of a timer show it among its settings.
  var isSetting = false
  /// Returns the words that can follow it, for a completion; names are not quoted.
  var choices: @Sendable (TimerContext) -> [String] = { _ in [] }
  /// Examples and their meanings, for the help.
  let examples: [(text: String, meaning: String)]
  /// Returns it with its argument in the grammar; `nil` for a timer without it.
  let text: @Sendable (TimerSpec) -> String?
  /// Returns what it does to a timer that has it, for the preview; `nil` to leave it out.
  let meaning: @Sendable (TimerSpec) -> String?
  /// Parses it at the current position, and advances.
  let parse: Parse

  static subscript(name: String) -> Word? { byName[name] }

  private static let byName = Dictionary(uniqueKeysWithValues: all.map { ($0.name, $0) })

  /// Returns true for a word that is no name unless it is quoted or before `=`.
  static func isReserved(_ text: String) -> Bool {
    byName[text] != nil || Keyword(rawValue: text) != nil
  }

  // Arrays, and a type for each other set or dictionary less, because every start of the program instantiates them.
  private static let timed: [Keyword] = [.once, .every, .at, .daily, .cycle]
  private static let triggered: [Keyword] = [.debounce, .throttle, .coalesce, .idle]

  /// All words, in the order in which they are written.
  static let all = [
    Word(
      name: "paused", kinds: timed + [.stopwatch],
      examples: [("… paused", "added, but not started")],
      text: { $0.isPaused ? "paused" : nil }, meaning: { _ in nil },
      parse: setting(\.isPaused)),
    Word(
      name: "awake", kinds: triggered + [.once, .every, .cycle, .stopwatch],
      canBeName: true, changesTimer: true, isSetting: true,
      examples: [("… awake", "counts only while the machine is awake, not through its sleep")],
      text: { $0.countsOnlyAwake ? "awake" : nil }, meaning: { _ in nil },
      parse: setting(\.countsOnlyAwake)),
    Word(
      name: "now", kinds: [.every], canBeName: true, changesTimer: true, isSetting: true,
      examples: [("… now", "fires at its start, too")],
      text: { $0.startsNow ? "now" : nil }, meaning: { _ in "fires at its start" },
      parse: setting(\.startsNow)),
    Word(
      name: "jitter", kinds: [.every, .daily], canBeName: true, needsArgument: true,
      changesTimer: true, isSetting: true,
      examples: [("… jitter 10s", "fires up to 10s late, at random")],
      text: { $0.jitter > .zero ? "jitter \(DurationText.text($0.jitter))" : nil },
      meaning: { "each up to \(DurationText.text($0.jitter)) later" },
      parse: { parser, spec throws(TimerSyntaxError) in
        spec.jitter = try parser.duration(after: "jitter")
      }),
    Word(
      name: "tolerance", kinds: timed + triggered, needsArgument: true, changesTimer: true,
      isSetting: true,
      examples: [("… tolerance 1s", "may fire that much late, to save wake-ups")],
      text: { $0.tolerance > .zero ? "tolerance \(DurationText.text($0.tolerance))" : nil },
      meaning: { "tolerance \(DurationText.text($0.tolerance))" },
      parse: { parser, spec throws(TimerSyntaxError) in
        spec.tolerance = try parser.duration(after: "tolerance", zeroAllowed: true)
      }),
    Word(
      name: "missed", kinds: [.once, .every, .daily], needsArgument: true, changesTimer: true,
      isSetting: true, choices: { _ in ["skip", "delay", "burst"] },
      examples: [
        ("… missed skip", "fires once for all missed periods"),
        ("… missed delay", "fires once, and restarts the interval"),
        ("… missed burst 5", "fires for each missed period, up to five"),
      ],
      text: { spec in spec.missedText.map { "missed \($0)" } },
      meaning: { spec in
        if case .burst(let limit) = spec.missedTicks { return "missed: burst of \(limit)" }
        return spec.missedText.map { "missed: \($0)" }
      },
      parse: { parser, spec throws(TimerSyntaxError) in
        spec.missedTicks = try parser.missedTicks()
      }),
    Word(
      name: "backoff", kinds: [.every], needsArgument: true, isSetting: true,
      examples: [
        ("… backoff 5m", "the interval of 'every' grows up to 5m while the command fails")
      ],
      text: { $0.backoff.map { "backoff \(DurationText.text($0))" } },
      meaning: { $0.backoff.map { "backs off to at most \(DurationText.text($0))" } },
      parse: { parser, spec throws(TimerSyntaxError) in
        spec.backoff = try parser.duration(after: "backoff")
      }),
    sound(
      .ring, "repeats the bell until a key is pressed", "repeats the bell until a key is pressed"),
    sound(
      .chime, canBeName: true, "chimes at each fire",
      "bell and notification at each fire; without it, 'every' is silent until its end"),
    sound(.silent, canBeName: true, "silent", "neither bell nor notification"),
    Word(
      name: "sound", kinds: timed + triggered, canBeName: true, needsArgument: true,
      takesText: true, isSetting: true, choices: { _ in SoundCheck.bells },
      examples: [("… sound glass", "plays bowl, glass, tower or a file at each fire")],
      text: { $0.soundName.map { "sound \(Token.quoting($0))" } },
      meaning: { $0.soundName.map { "plays \($0)" } },
      parse: { parser, spec throws(TimerSyntaxError) in spec.soundName = try parser.soundName() }),
    Word(
      name: "then", kinds: timed, needsArgument: true, takesText: true,
      choices: { $0.names + $0.groups },
      examples: [
        ("… then egg", "starts the timer egg when it finishes"),
        ("… then rest x8", "eight rounds of both; the last timer starts the first again"),
      ],
      text: { spec in
        spec.successor.map { name in
          "then \(Token.quoting(name))" + (spec.chainCount.map { " x\($0)" } ?? "")
        }
      },
      meaning: { spec in
        spec.successor.map { "then \($0)" + (spec.chainCount.map { ", \($0) rounds" } ?? "") }
      },
      parse: { parser, spec throws(TimerSyntaxError) in
        spec.successor = try parser.reference(isGroup: false)
        // Without an end, the timer needs the count itself.
        if spec.fireCount != nil, parser.position < parser.tokens.count,
          let count = parser.count(at: parser.position)
        {
          spec.chainCount = try parser.count(count.number)
          parser.position += count.words
        }
      }),
    Word(
      name: "wait", kinds: timed, canBeName: true, isSetting: true,
      examples: [
        ("… wait", "each next phase, or timer after 'then', waits until you start it")
      ],
      text: { $0.waits ? "wait" : nil }, meaning: { _ in "waits for a start" },
      parse: setting(\.waits)),
    Word(
      name: "group", kinds: Keyword.allCases, canBeName: true, needsArgument: true,
      takesText: true, isSetting: true, choices: { $0.groups },
      examples: [("… group laundry", "in a group; 'then laundry' starts all of it")],
      text: { $0.group.map { "group \(Token.quotingGroup($0))" } },
      meaning: { $0.group.map { "group \($0)" } },
      parse: { parser, spec throws(TimerSyntaxError) in
        spec.group = try parser.reference(isGroup: true)
      }),
    Word(
      name: "run", kinds: timed + triggered, needsArgument: true, takesText: true,
      examples: [("… run 'make test'", "runs a command at each fire")],
      text: { $0.command.map { "run \(Token.quoting($0))" } },
      meaning: { $0.command.map { "runs \($0)" } },
      parse: { parser, spec throws(TimerSyntaxError) in spec.command = try parser.command() }),
    // It is also the beginning of a date, so that the parser asks for it first.
    Word(
      name: "on", kinds: Keyword.allCases, canBeName: true, needsArgument: true,
      choices: { _ in Transition.Event.allCases.map(\.rawValue) + TimeWord.dayNames },
      examples: [("… on paused run 'x'", "runs a command at another event")],
      text: { spec in
        let hooks = spec.hooks.map {
          "on \($0.event) run \(Token.quoting($0.command))"
        }
        return hooks.isEmpty ? nil : hooks.joined(separator: " ")
      },
      meaning: { spec in
        spec.hooks.map { "runs \($0.command) when \($0.event)" }.joined(separator: " · ")
      },
      parse: { parser, spec throws(TimerSyntaxError) in try parser.hook(of: &spec) }),
    Word(
      name: "note", kinds: Keyword.allCases, needsArgument: true, takesText: true,
      examples: [("… note 'two bags'", "a text to show beside it")],
      text: { $0.note.map { "note \(Token.quoting($0))" } },
      meaning: { $0.note },
      parse: { parser, spec throws(TimerSyntaxError) in
        spec.note = try parser.text(
          or: "text after 'note' (expected a text, such as note 'two bags')"
        )
        .text
      }),
  ]

  /// Returns a parser that sets a property of a timer.
  private static func setting(
    _ property: any WritableKeyPath<TimerSpec, Bool> & Sendable
  ) -> Parse {
    { parser, spec in
      parser.position += 1
      spec[keyPath: property] = true
    }
  }

  private static func sound(
    _ sound: TimerSpec.Sound, canBeName: Bool = false, _ meaning: String, _ help: String
  ) -> Word {
    let name = sound.rawValue
    return Word(
      name: name, kinds: timed + triggered, canBeName: canBeName, isSetting: true,
      examples: [("… \(name)", help)],
      text: { $0.sound == sound ? name : nil }, meaning: { _ in meaning },
      parse: { parser, spec throws(TimerSyntaxError) in
        guard spec.sound == .standard else {
          throw parser.errorHere("'\(spec.sound)' and '\(name)' exclude each other")
        }
        parser.position += 1
        spec.sound = sound
      })
  }
}

extension TimerSpec {
  /// Returns true if a word of the grammar applies to the timer's kind.
  package func accepts(_ word: String) -> Bool {
    Word[word]?.kinds.contains(kind.family.keyword) == true
  }

  /// The effects of the words on the timer, for a preview.
  package var meanings: [String] {
    Word.all.compactMap { $0.text(self) == nil ? nil : $0.meaning(self) }
  }

  /// The settings in the grammar, without the default ones, the successor, the commands and the note: `tolerance 1s`.
  package var settings: [String] { Word.all.compactMap { $0.isSetting ? $0.text(self) : nil } }

  /// A word that the timer has and that is not among some; `nil` if there is none.
  package func word(exceptFor words: [String]) -> String? {
    Word.all.first { !words.contains($0.name) && $0.text(self) != nil }?.name
  }

  /// Returns true if a live timer of another specification has to be recreated for this one.
  func recreatesTimer(of other: TimerSpec) -> Bool {
    kind != other.kind
      || Word.all.contains { $0.changesTimer && $0.text(self) != $0.text(other) }
  }

  fileprivate var missedText: String? {
    switch missedTicks {
    case .skip: nil
    case .delay: "delay"
    case .burst(let limit): "burst \(limit)"
    }
  }

  /// Examples of the grammar and their meanings, for the help and the empty board.
  package static let examples: [(text: String, meaning: String)] =
    [
      ("tea=3m", "once; also tea 3m, in 3 minutes"),
      ("sets=every 45s x8", "repeats; also every 45s 8 times"),
      ("every 1h 30m", "without end; also every hour"),
      ("90s 05:00 1:30:00", "durations; also 5 min, 1.5h, 1w"),
      ("5m 10m", "two timers; 10m 5s is one"),
      ("at 14:30", "at a time of day; also 2:30pm, noon, until 17:00, at 2027-01-31T09:00"),
      ("tomorrow 9am", "also fri 9:00, on 24 dec 18:00"),
      ("every 2 weeks on monday at 9", "also every other tuesday at 9, every 3 days at 9"),
      ("every month on the 15th at 9", "also 1st and 15th of the month at 9, every dec 24 at 18"),
      ("every 30m until 17:00", "today; also for an hour, daily 9:00 until 2026-12-25"),
      ("weekdays 09:55", "repeats; also every monday at 9, first monday of the month at 9"),
      ("daily 8:00 and 20:00", "several times; also last day of the month at 9 and 18"),
      ("every 2h from 9 to 17", "on the clock; also weekdays every 15m from 9 to 17"),
      ("cron '0 9 * * 1-5'", "a cron expression; also cron @daily"),
      ("at 9:00 in Asia/Tokyo", "in another time zone"),
      ("cycle 25/5 x4", "minutes; four rounds, no last rest"),
      ("cycle 25/5 x4 long 15", "a long rest at the end; without x4 every fourth one"),
      ("pomodoro", "a preset; see carillon presets"),
      ("cycle jog 1m/walk 30s", "phases with names of their own"),
      ("stopwatch", "counts up, with laps"),
      (
        "debounce 2s max 10s",
        "triggered with f: fires when quiet, or after 10s; also leading, both"
      ),
      ("throttle 5s deferred", "triggered with f: fires after 5s; without deferred, also at once"),
      ("coalesce 1m", "triggered with f: fires a minute after the first"),
      ("idle 10m", "fires when quiet for 10m from its start or f"),
    ] + Word.all.flatMap(\.examples)
}
