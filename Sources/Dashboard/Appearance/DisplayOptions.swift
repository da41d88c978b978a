package import TimerBoard

/// The layout of the board.
package enum BoardLayout: String, CaseIterable, LosslessStringConvertible, Sendable {
  /// A wall of cards on a large screen if all timers fit, otherwise rows.
  case auto
  case rows, wall

  package var description: String { rawValue }

  package init?(_ name: String) { self.init(rawValue: name) }
}

/// The options of the display and of its prompts.
package struct DisplayOptions: Hashable, Sendable {
  /// A Boolean value that indicates whether only ASCII is drawn, for a terminal that is not UTF-8.
  package var isASCII: Bool
  /// A Boolean value that indicates whether colors are used: not with `NO_COLOR`, nor on a terminal without
  /// colors. Nothing is indicated by color alone.
  package var hasColor: Bool
  /// The number of colors of the terminal.
  package var colorCount = 256
  /// A Boolean value that indicates whether times of day have the form 14:29 rather than 2:29 pm.
  package var uses24Hours: Bool
  /// A Boolean value that indicates whether the time left is initially shown in tenths of a second, which takes ten
  /// frames a second.
  package var showsTenths: Bool
  /// A Boolean value that indicates whether the header shows the time of day.
  package var showsClock: Bool
  /// The initial theme.
  package var theme = Theme.standard
  /// The themes of the configuration, in addition to the built-in ones.
  package var customThemes: [Theme] = []
  /// The layout of the board at the start.
  package var boardLayout = BoardLayout.auto
  /// A Boolean value that indicates whether the band of an alert does not pulse.
  package var reducesMotion = false
  /// A Boolean value that indicates whether bell and notifications are off at the start.
  package var isMuted = false
  /// The text of an empty history.
  package var emptyHistoryText = "no history yet: finished timers are listed here"
  /// The time of each day that the history shows as its goal; `nil` for none.
  package var dailyGoal: Duration?
  /// The settings of timers that a prompt adds.
  package var timerDefaults = TimerDefaults()

  /// The initial theme with the colors that the terminal has.
  var fittingTheme: Theme { hasColor ? theme.limited(toColors: colorCount) : .mono }
  var symbols: Symbols { isASCII ? .ascii : .unicode }

  package init(
    isASCII: Bool = false, hasColor: Bool = true, uses24Hours: Bool = true,
    showsTenths: Bool = false, showsClock: Bool = true
  ) {
    self.isASCII = isASCII
    self.hasColor = hasColor
    self.uses24Hours = uses24Hours
    self.showsTenths = showsTenths
    self.showsClock = showsClock
  }
}
