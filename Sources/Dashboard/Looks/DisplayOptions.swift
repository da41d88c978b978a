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
