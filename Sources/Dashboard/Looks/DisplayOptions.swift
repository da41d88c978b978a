/// How the dashboard shows things, whatever it shows.
public struct DisplayOptions: Hashable, Sendable {
  /// Only ASCII, for a terminal that is not UTF-8.
  public var isASCII: Bool
  /// Off for `NO_COLOR` and for terminals without colours; nothing is told by colour alone.
  public var hasColor: Bool
  /// Times of day as 14:29 rather than 2:29 pm.
  public var uses24Hours: Bool
  /// Time left to the tenth of a second, drawn ten times a second.
  public var showsTenths: Bool
  /// The time of day in the header, the one thing that moves when every timer stands still.
  public var showsClock: Bool
  /// What the dashboard looks like at first.
  public var theme = Theme.standard
  /// Themes to choose from besides those that are always there.
  public var ownThemes: [Theme] = []
  public var digitStyle = DigitStyle.block
  /// A timer that has finished stands out, and does not blink.
  public var reducesMotion = false
  /// No bell and no notifications.
  public var isMuted = false

  public init(
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
