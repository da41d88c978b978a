import TerminalCore

/// A model of an xterm that interprets the sequences that curses uses.
struct VirtualScreen {
  private(set) var canvas: [[Cell]]
  private(set) var isAlternate = false
  private(set) var isCursorVisible = true
  private(set) var column = 0
  private(set) var row = 0
  private var size: Size
  private var style = Style.plain
  /// The rows of the scroll region.
  private var region: Range<Int>
  private var wraps = true
  /// A Boolean value that indicates whether the cursor is after the last column, so that the next
  /// character wraps.
  private var isAtEnd = false
  private var lastWritten: Unicode.Scalar = " "
  private var pending: [Unicode.Scalar] = []

  init(_ size: Size) {
    self.size = size
    region = 0..<size.height
    canvas = Array(repeating: Array(repeating: .blank, count: size.width), count: size.height)
  }

  mutating func feed(_ bytes: [UInt8]) {
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars { take(scalar) }
  }

  var lines: [String] {
    canvas.map { row in
      var line = row.map(\.text).joined()
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  private mutating func take(_ scalar: Unicode.Scalar) {
    if pending.isEmpty {
      switch scalar {
      case "\u{1B}": pending = [scalar]
      case "\r": (column, isAtEnd) = (0, false)
      case "\n": lineFeed()
      case "\u{8}": (column, isAtEnd) = (max(0, column - 1), false)
      case "\u{7}": break
      default: put(scalar)
      }
      return
    }
    pending.append(scalar)
    switch pending[1] {
    case "[":
      guard pending.count > 2, ("@"..."~").contains(scalar) else { return }
      control(String(String.UnicodeScalarView(pending[2..<(pending.count - 1)])), scalar)
    case "(":
      guard pending.count > 2 else { return }
    case "M":
      if row == region.lowerBound { scroll(from: row, by: -1) } else { row -= 1 }
    default:
      break
    }
    pending = []
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    let width = TextWidth.of(scalar)
    guard width > 0 else { return mark(scalar) }
    if isAtEnd, wraps {
      column = 0
      lineFeed()
    }
    lastWritten = scalar
    set(Cell(scalar, style: style), column)
    if width == 2, column + 1 < size.width { set(Cell(nil, style: style), column + 1) }
    column += width
    isAtEnd = column >= size.width
    column = min(column, size.width - 1)
  }

  private mutating func mark(_ scalar: Unicode.Scalar) {
    var x = isAtEnd ? column : column - 1
    if canvas[row][x].isContinuation { x -= 1 }
    let cell = canvas[row][x]
    canvas[row][x] =
      cell.firstMark == nil
      ? Cell(cell.base, firstMark: scalar, style: cell.style)
      : Cell(cell.base, firstMark: cell.firstMark, secondMark: scalar, style: cell.style)
  }

  private mutating func set(_ cell: Cell, _ x: Int) {
    if canvas[row][x].isContinuation, !cell.isContinuation, x > 0 {
      canvas[row][x - 1] = Cell(" ", style: canvas[row][x - 1].style)
    }
    if x + 1 < size.width, canvas[row][x + 1].isContinuation {
      canvas[row][x + 1] = Cell(" ", style: canvas[row][x + 1].style)
    }
    canvas[row][x] = cell
  }

  private mutating func erase(_ columns: Range<Int>) {
    for x in columns where x < size.width { set(Cell(" ", style: Style.plain.on(background)), x) }
  }

  private var background: Color { style.background }

  private mutating func lineFeed() {
    isAtEnd = false
    if row + 1 == region.upperBound {
      scroll(from: region.lowerBound, by: 1)
    } else {
      row = min(row + 1, size.height - 1)
    }
  }

  /// Moves the rows from `top` to the end of the region up, or down if `count` is negative.
  private mutating func scroll(from top: Int, by count: Int) {
    let blank = [Cell](repeating: Cell(" ", style: Style.plain.on(background)), count: size.width)
    let rows = Array(canvas[top..<region.upperBound])
    for (offset, y) in (top..<region.upperBound).enumerated() {
      let from = offset + count
      canvas[y] = rows.indices.contains(from) ? rows[from] : blank
    }
  }

  private mutating func control(_ parameters: String, _ final: Unicode.Scalar) {
    if parameters.hasPrefix("?") {
      for mode in parameters.dropFirst().split(separator: ";") {
        switch mode {
        case "7": wraps = final == "h"
        case "25": isCursorVisible = final == "h"
        case "1049": isAlternate = final == "h"
        default: break
        }
      }
      return
    }
    let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false)
      .map { Int($0) ?? 0 }
    let count = max(1, numbers.first ?? 1)
    if final != "m" { isAtEnd = false }
    switch final {
    case "H":
      row = min(count, size.height) - 1
      column = min(max(1, numbers.count > 1 ? numbers[1] : 1), size.width) - 1
    case "d": row = min(count, size.height) - 1
    case "G": column = min(count, size.width) - 1
    case "A": row = max(0, row - count)
    case "B": row = min(size.height - 1, row + count)
    case "C": column = min(size.width - 1, column + count)
    case "D": column = max(0, column - count)
    case "X": erase(column..<(column + count))
    case "K": numbers.first == 1 ? erase(0..<(column + 1)) : erase(column..<size.width)
    case "J": eraseScreen(all: numbers.first == 2)
    case "b": for _ in 0..<count { put(lastWritten) }
    case "m": select(numbers.isEmpty ? [0] : numbers)
    case "S": scroll(from: region.lowerBound, by: count)
    case "T": scroll(from: region.lowerBound, by: -count)
    case "M": scroll(from: row, by: count)
    case "L": scroll(from: row, by: -count)
    case "r":
      region = (count - 1)..<min(numbers.count > 1 ? numbers[1] : size.height, size.height)
      (row, column) = (0, 0)
    case "h", "l", "t": break
    default: preconditionFailure("CSI \(parameters) \(final): not expected from curses")
    }
  }

  private mutating func eraseScreen(all: Bool) {
    let found = row
    erase(all ? 0..<size.width : column..<size.width)
    for other in (all ? 0 : found + 1)..<max(size.height, found + 1) {
      row = other
      erase(0..<size.width)
    }
    row = found
  }

  private mutating func select(_ numbers: [Int]) {
    var numbers = numbers[...]
    while let number = numbers.popFirst() {
      switch number {
      case 0: style = .plain
      case 1: style.attributes.insert(.bold)
      case 2: style.attributes.insert(.dim)
      case 3: style.attributes.insert(.italic)
      case 4: style.attributes.insert(.underline)
      case 5: style.attributes.insert(.blink)
      case 7: style.attributes.insert(.reverse)
      case 22: style.attributes.subtract([.bold, .dim])
      case 23: style.attributes.remove(.italic)
      case 24: style.attributes.remove(.underline)
      case 25: style.attributes.remove(.blink)
      case 27: style.attributes.remove(.reverse)
      case 30...37: style.foreground = .indexed(UInt8(number - 30))
      case 90...97: style.foreground = .indexed(UInt8(number - 82))
      case 39: style.foreground = .standard
      case 40...47: style.background = .indexed(UInt8(number - 40))
      case 100...107: style.background = .indexed(UInt8(number - 92))
      case 49: style.background = .standard
      case 38, 48:
        let color = Color.indexed(UInt8(numbers.dropFirst().first ?? 0))
        numbers = numbers.dropFirst(2)
        if number == 38 { style.foreground = color } else { style.background = color }
      default: preconditionFailure("SGR \(number): not expected from curses")
      }
    }
  }
}

extension VirtualScreen {
  /// Returns the first cell that differs visibly from a canvas, with both cells, or `nil`.
  func difference(from expected: Canvas) -> String? {
    for y in 0..<expected.size.height {
      for x in 0..<expected.size.width {
        let (seen, wanted) = (visible(canvas[y][x]), visible(expected[x, y]))
        if seen != wanted { return "at \(x),\(y): \(seen) instead of \(wanted)" }
      }
    }
    return nil
  }

  /// Returns the cell without the attributes that are invisible on a blank.
  private func visible(_ cell: Cell) -> Cell {
    guard cell.text == " " else { return cell }
    let shown = cell.style.attributes.intersection([.underline, .reverse])
    let foreground = shown.isEmpty ? Color.standard : cell.style.foreground
    return Cell(" ", style: Style(foreground, on: cell.style.background, shown))
  }
}
