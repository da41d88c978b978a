import Platform
import TimerBoard
import TimerKit

extension RunSession {
  struct Options {
    var isJSON = false
    var isQuiet = false
    /// A Boolean value that indicates whether a line of progress is shown on the terminal of standard error.
    var showsProgress = false
    var endsAtFirstFire = false
    var failsFast = false
    var maxTime: Duration?
    var uses24Hours = true
    /// The program to run at each fire, with its arguments; empty for none.
    var command: [String] = []
    /// The settings of timers that other processes add.
    var timerDefaults = TimerDefaults()
    /// The settings of the history; `nil` if nothing is recorded.
    var history: HistoryOptions?
  }
}
