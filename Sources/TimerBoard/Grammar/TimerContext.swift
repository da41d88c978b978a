/// The context in which timers are parsed.
package struct TimerContext: Hashable, Sendable {
  /// The names of existing timers, which `then` can name.
  package var names: [String]
  /// The names of existing groups, which `then` can name too.
  package var groups: [String]
  /// The reading of the clocks to which `tomorrow` and the like refer; earlier dates are errors. With `nil`, such
  /// days are counted from 1970, which is enough to check a text.
  package var now: ClockReading?
  /// A Boolean value that indicates whether dates that have passed are valid.
  package var allowsPast: Bool
  /// The presets, and the words that new timers have by default.
  package var defaults: TimerDefaults
  /// A Boolean value that indicates whether all timers run a command, as with
  /// `carillon run … -- COMMAND`: `backoff` needs no `run` then.
  package var hasCommand: Bool

  /// The context for text that was valid when it was written, such as a session: timers that `then` names
  /// may have been deleted since, and intervals may have been changed.
  package static let trusted: TimerContext = {
    var context = TimerContext(defaults: TimerDefaults(presets: .none))
    context.isTrusted = true
    return context
  }()

  /// A Boolean value that indicates whether the settings of a timer are not checked against each other and the board.
  package var isTrusted = false

  package init(
    names: [String] = [], groups: [String] = [], now: ClockReading? = nil, allowsPast: Bool = false,
    defaults: TimerDefaults = .init(), hasCommand: Bool = false
  ) {
    self.names = names
    self.groups = groups
    self.now = now
    self.allowsPast = allowsPast
    self.defaults = defaults
    self.hasCommand = hasCommand
  }
}

/// The settings of new timers.
package struct TimerDefaults: Hashable, Sendable {
  /// The timers that `@NAME` and plain names stand for.
  package var presets: TimerPresets
  /// A Boolean value that indicates whether new timers count only while the machine is awake, as if each had the word
  /// `awake`.
  package var countOnlyAwake: Bool

  /// A Boolean value that indicates whether the phases of new cycles, and the timers after `then`, wait until the user
  /// starts them, as if each had the word `wait`.
  package var wait: Bool
  /// The check of the sounds after `sound`.
  package var soundCheck: SoundCheck

  package init(
    presets: TimerPresets = .builtIn, countOnlyAwake: Bool = false, wait: Bool = false,
    soundCheck: SoundCheck = SoundCheck()
  ) {
    self.soundCheck = soundCheck
    self.presets = presets
    self.wait = wait
    self.countOnlyAwake = countOnlyAwake
  }
}

/// Timers under names: `pomodoro`, or `@pomodoro` where it could be mistaken for something else.
package struct TimerPresets: Hashable, Sendable {
  private var texts: [String: [String]]

  static let none = TimerPresets(texts: [:])

  /// The presets that the configuration can replace. None of them contains another one.
  package static let builtIn = TimerPresets(texts: [
    "20-20-20": ["20-20-20=every 20m note 'look 20 feet (6 m) away for 20 seconds'"],
    "4-7-8": ["4-7-8=cycle inhale 4s/hold 7s/exhale 8s x4 silent"],
    "52/17": ["52/17=cycle 52m/17m"],
    "90/20": ["90/20=cycle 90m/20m"],
    "box": ["box=cycle inhale 4s/hold 4s/exhale 4s/rest 4s silent"],
    "hiit": ["hiit=cycle 40s/20s x10"],
    "pomodoro": ["pomodoro=cycle 25m/5m x4"],
    "tabata": ["tabata=cycle 20s/10s x8"],
  ])

  /// Returns the built-in presets with those of a configuration; an empty list removes one.
  package static func replacing(_ texts: [String: [String]]) -> TimerPresets {
    TimerPresets(texts: builtIn.texts.merging(texts) { $1 }.filter { !$1.isEmpty })
  }

  package var names: [String] { texts.keys.sorted() }

  /// The texts of the timers of a preset; `nil` if there is none with that name.
  package subscript(name: String) -> [String]? { texts[name] }
}

/// A bell that the program synthesizes; the raw value is its name in the grammar and in the configuration.
package enum BellSound: String, CaseIterable, Sendable {
  case bowl, glass, tower
}

/// The check of the sounds that texts name: bells, and files by their paths. The paths do not depend on the folder of a
/// process, because a session moves between processes.
package struct SoundCheck: Hashable, Sendable {
  static let bells = BellSound.allCases.map(\.rawValue)
  static let expected = "\(bells.joined(separator: ", ")) or a path that begins with / or ~/"

  private let fileProblem: @Sendable (String) -> String?

  /// - Parameter fileProblem: Returns the reason for which a file cannot be read; `nil` if it can.
  package init(fileProblem: @escaping @Sendable (String) -> String? = { _ in nil }) {
    self.fileProblem = fileProblem
  }

  /// Returns the problem of a sound; `nil` if it is a bell or a file that can be read.
  package func problem(of sound: String) -> String? {
    if BellSound(rawValue: sound) != nil { return nil }
    guard sound.hasPrefix("/") || sound.hasPrefix("~/") else {
      return Suggestion.message(
        "unknown sound '\(sound)'", for: sound, of: Self.bells, expected: Self.expected)
    }
    return fileProblem(sound).map { "sound '\(sound)': \($0)" }
  }

  /// A program has one check, so that contexts do not differ by it.
  package static func == (left: SoundCheck, right: SoundCheck) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
