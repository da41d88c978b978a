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
