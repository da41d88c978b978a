/// The position of a cell: column `x` and row `y`, both counted from 0.
public struct Point: Hashable, Sendable {
  public var x: Int
  public var y: Int

  public init(x: Int, y: Int) {
    self.x = x
    self.y = y
  }
}

/// A width and a height in cells. The initializer replaces a negative value by 0.
public struct Size: Hashable, Sendable {
  public var width: Int
  public var height: Int

  public init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
  }
}

/// A rectangle of cells, which may extend beyond a canvas. Arithmetic with its coordinates is
/// clamped to the range of `Int`.
public struct Rect: Hashable, Sendable {
  public var x: Int
  public var y: Int
  public var width: Int
  public var height: Int

  public init(x: Int, y: Int, width: Int, height: Int) {
    self.x = x
    self.y = y
    self.width = max(0, width)
    self.height = max(0, height)
  }

  public init(_ size: Size) {
    self.init(x: 0, y: 0, width: size.width, height: size.height)
  }

  /// The first column right of the rectangle.
  public var maxX: Int { x.adding(width) }
  /// The first row below the rectangle.
  public var maxY: Int { y.adding(height) }
  public var isEmpty: Bool { width <= 0 || height <= 0 }

  public func contains(_ point: Point) -> Bool {
    point.x >= x && point.x < maxX && point.y >= y && point.y < maxY
  }

  /// Returns the cells that are in both rectangles; empty if there are none.
  public func intersection(_ other: Rect) -> Rect {
    let left = max(x, other.x)
    let top = max(y, other.y)
    return Rect(
      x: left, y: top, width: min(maxX, other.maxX).subtracting(left),
      height: min(maxY, other.maxY).subtracting(top))
  }

  /// Splits off the first `count` rows.
  public func splitTop(_ count: Int) -> (top: Rect, rest: Rect) {
    let taken = min(max(0, count), height)
    return (
      Rect(x: x, y: y, width: width, height: taken),
      Rect(x: x, y: y.adding(taken), width: width, height: height - taken)
    )
  }

  /// Splits off the last `count` rows.
  public func splitBottom(_ count: Int) -> (rest: Rect, bottom: Rect) {
    let (rest, bottom) = splitTop(height - min(max(0, count), height))
    return (rest, bottom)
  }

  /// Splits off the first `count` columns.
  public func splitLeft(_ count: Int) -> (left: Rect, rest: Rect) {
    let taken = min(max(0, count), width)
    return (
      Rect(x: x, y: y, width: taken, height: height),
      Rect(x: x.adding(taken), y: y, width: width - taken, height: height)
    )
  }
}

extension Int {
  /// Returns the sum, clamped to the range of `Int`.
  func adding(_ other: Int) -> Int {
    let (sum, overflows) = addingReportingOverflow(other)
    return overflows ? (other > 0 ? .max : .min) : sum
  }

  /// Returns the difference, clamped to the range of `Int`.
  func subtracting(_ other: Int) -> Int {
    let (difference, overflows) = subtractingReportingOverflow(other)
    return overflows ? (other < 0 ? .max : .min) : difference
  }
}
