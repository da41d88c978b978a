/// A snapshot of a terminal: each cell's character and its visible attributes, parsed from tmux's capture
/// with escape sequences.
struct ScreenSnapshot: Equatable, CustomStringConvertible {
  private struct Cell: Equatable {
    var text: Character
    var style = CellStyle()
  }

  private struct CellStyle: Equatable {
    var styles: Set<Int> = []
    var foreground: [Int] = []
    var background: [Int] = []

    mutating func apply(_ parameters: [Int]) {
      var rest = parameters[...]
      while let number = rest.first {
        // An indexed color has two more parameters, and an RGB color four.
        let length = [38, 48].contains(number) ? (rest.dropFirst().first == 5 ? 3 : 5) : 1
        let color = [Int](rest.prefix(length))
        switch number {
        case 0: self = CellStyle()
        case 22: styles.subtract([1, 2])
        case 23...29: styles.remove(number - 20)
        case 30...38, 90...97: foreground = color
        case 39: foreground = []
        case 40...48, 100...107: background = color
        case 49: background = []
        default: styles.insert(number)
        }
        rest = rest.dropFirst(length)
      }
    }

    /// The attributes that are visible on a blank: reverse, underline and strike.
    var ofBlank: CellStyle {
      let visible = styles.intersection([4, 7, 9])
      return CellStyle(
        styles: visible, foreground: visible.isEmpty ? [] : foreground, background: background)
    }
  }

  private var lines: [[Cell]] = []

  init(_ capture: String) {
    var style = CellStyle()
    for line in Screen(capture).lines {
      var cells: [Cell] = []
      var rest = line[...]
      while let character = rest.first {
        if let sequence = rest.prefixMatch(of: /\x1B\[([0-9;:]*)m/) {
          let parameters = sequence.1.split(
            omittingEmptySubsequences: false, whereSeparator: { ";:".contains($0) })
          style.apply(parameters.map { Int($0) ?? 0 })
          rest = rest[sequence.range.upperBound...]
        } else {
          // Shifts between character sets are no characters.
          if !["\u{0E}", "\u{0F}"].contains(character) {
            cells.append(Cell(text: character, style: character == " " ? style.ofBlank : style))
          }
          rest = rest.dropFirst()
        }
      }
      // For text cleared to the end of a line, tmux reports as many cells as were written before.
      while cells.last?.text == " " { cells.removeLast() }
      lines.append(cells)
    }
  }

  /// The snapshot without what changes by itself each minute: the time of day in the header, that of `would ring at`,
  /// and the age of `done 1m ago`.
  var withoutClock: ScreenSnapshot {
    var snapshot = self
    for y in lines.indices {
      let line = lines[y].map(\.text)
      func begins(_ text: String, at x: Int) -> Bool { x >= 0 && line[x...].starts(with: text) }
      var (isTime, isAge) = (y == 0, false)
      for x in line.indices {
        if begins("at ", at: x - 3) { isTime = true }
        if y > 0, !line[x].isNumber, line[x] != ":" { isTime = false }
        if begins("done ", at: x), !begins("done  ", at: x) { isAge = true }
        if begins("  ", at: x) || line[x] == "│" { isAge = false }
        if isAge { snapshot.lines[y][x] = Cell(text: " ") }
        if isTime, line[x].isNumber { snapshot.lines[y][x].text = "0" }
      }
      while snapshot.lines[y].last?.text == " " { snapshot.lines[y].removeLast() }
    }
    return snapshot
  }

  var text: String { lines.map { String($0.map(\.text)) }.joined(separator: "\n") }
  var description: String { text }

  /// Describes the differing lines, and the first differing cell of each with its attributes.
  func differences(from other: ScreenSnapshot) -> String {
    let pairs = zip(lines, other.lines).enumerated().filter { $1.0 != $1.1 }
    let texts = pairs.map { y, pair in
      let (line, otherLine) = (String(pair.0.map(\.text)), String(pair.1.map(\.text)))
      let x = zip(pair.0, pair.1).prefix { $0 == $1 }.count
      let cells = [pair.0, pair.1].map { $0.indices.contains(x) ? "\($0[x])" : "nothing" }
      return "\(y): \(line)\n\(y): \(otherLine)\nat \(x): \(cells.joined(separator: ", was "))"
    }
    return texts.joined(separator: "\n")
  }
}
