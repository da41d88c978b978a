/// The text on a terminal: its lines, without trailing blanks.
struct Screen: Equatable, CustomStringConvertible {
  var lines: [String]

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    // Each line has a newline, including the last one.
    if lines.last == "" { lines.removeLast() }
  }

  var description: String { lines.joined(separator: "\n") }

  func contains(_ text: String) -> Bool { lines.contains { $0.contains(text) } }

  /// Returns the board's line of a timer, which begins with its name or with the selection mark.
  func row(_ name: String) -> String? {
    guard let index = rowIndex(name) else { return nil }
    // If there is room, the plan is on a second line.
    return lines[index] + (index + 1 < lines.count ? lines[index + 1] : "")
  }

  private func rowIndex(_ name: String) -> Int? {
    lines.firstIndex { line in
      // A bracket can stand before the name.
      let words = line.split { " ╭├╰".contains($0) }.prefix(2)
      let isMarked = ["▌", "|", "!"].contains(words.first)
      return (isMarked ? words.last : words.first) == Substring(name)
    }
  }

  /// Returns true if a timer's row exists and contains all of these.
  func row(_ name: String, has parts: String...) -> Bool {
    guard let row = row(name) else { return false }
    return parts.allSatisfy(row.contains)
  }

  /// A Boolean value that indicates whether a complete board is shown: the end of the footer is
  /// drawn last.
  var isComplete: Bool { lines.last?.hasSuffix("q quit") ?? false }

  /// Returns true if these timers are listed in this order.
  func isInOrder(_ names: [String]) -> Bool {
    let lineNumbers = names.compactMap { rowIndex($0) }
    return lineNumbers.count == names.count && lineNumbers == lineNumbers.sorted()
  }

  /// Returns the time left in a timer's row, in seconds.
  func secondsLeft(_ name: String) -> Int? {
    guard let row = row(name), let match = row.firstMatch(of: /(?:(\d+):)?(\d+):(\d\d)(?: |$)/),
      let minutes = Int(match.2), let seconds = Int(match.3)
    else { return nil }
    let hours = match.1.flatMap { Int($0) } ?? 0
    return hours * 3600 + minutes * 60 + seconds
  }

  /// The screen without the time of day in the header, which changes by itself.
  var withoutClock: Screen {
    var screen = self
    screen.lines = lines.map { $0.replacing(/\ +\d\d:\d\d$/, with: "") }
    return screen
  }
}
