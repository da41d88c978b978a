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

  private(set) var isTrusted = false

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
