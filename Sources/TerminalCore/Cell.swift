/// One character cell: a base with the marks drawn over it, and a style.
///
/// A character two cells wide stands in its left cell; the right one is a ``continuation``, which
/// draws nothing of its own. ``Canvas`` keeps the two together.
public struct Cell: Hashable, Sendable {
  /// The base character; `nil` in the right half of a wide one.
  public var base: Unicode.Scalar?
  /// Non-spacing marks over the base; a terminal cell of ncurses holds no more than four.
  public var firstMark: Unicode.Scalar?
  public var secondMark: Unicode.Scalar?
  public var style: Style

  public init(
    _ base: Unicode.Scalar?, firstMark: Unicode.Scalar? = nil, secondMark: Unicode.Scalar? = nil,
    style: Style = .plain
  ) {
    self.base = base
    self.firstMark = firstMark
    self.secondMark = secondMark
    self.style = style
  }

  /// An empty cell.
  public static let blank = Cell(" ")

  public var isContinuation: Bool { base == nil }

  /// The cell's text; empty for the right half of a wide character.
  public var text: String {
    var text = ""
    for scalar in [base, firstMark, secondMark] {
      if let scalar { text.unicodeScalars.append(scalar) }
    }
    return text
  }
}
