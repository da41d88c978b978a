import TimerBoard

/// The options of the display.
package struct DisplayOptions: Hashable, Sendable {
  /// Only ASCII, for a terminal that is not UTF-8.
  package var isASCII: Bool
  /// Off for `NO_COLOR` and for terminals without colors; nothing is indicated by color alone.
  package var hasColor: Bool
  /// Times of day as 14:29 rather than 2:29 pm.
  package var uses24Hours: Bool
  /// Time left to the tenth of a second, drawn ten times a second.
  package var showsTenths: Bool
  /// The time of day in the header, the one thing that moves when every timer stands still.
  package var showsClock: Bool
  /// The theme at the start.
  package var theme = Theme.standard
  /// Themes to choose from besides those that are always there.
  package var ownThemes: [Theme] = []
  package var digitStyle = DigitStyle.block
  /// A timer that has finished stands out, and does not blink.
  package var reducesMotion = false
  /// No bell and no notifications.
  package var isMuted = false

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
