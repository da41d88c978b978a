import Platform
import TimerBoard
import TimerKit

extension RunSession {
  struct Options {
    var isJSON = false
    var isQuiet = false
    var endsAtFirstFire = false
    var failsFast = false
    var maxTime: Duration?
    var uses24Hours = true
    /// The program to run at each fire, with its arguments; empty for none.
    var command: [String] = []
    /// The presets that timers of other processes can name.
    var presets = TimerPresets.builtIn
    /// The settings of the history; `nil` if nothing is recorded.
    var history: HistoryOptions?
  }
}
