import TerminalCore
import TimerBoard

extension String {
  /// The text with the characters of markup escaped.
  var escapedForMarkup: String { replacing(["&": "&amp;", "<": "&lt;", ">": "&gt;"]) }

  /// Returns the text with each of the characters replaced, even before a combining mark.
  func replacing(_ replacements: [Unicode.Scalar: String]) -> String {
    unicodeScalars.reduce(into: "") { $0 += replacements[$1] ?? String($1) }
  }

  /// Returns the text with a replacement for characters that a terminal would interpret as a command, or that
  /// would reorder the following text.
  func printable(keepingLines: Bool = false) -> String {
    let scalars = unicodeScalars.map { scalar in
      !scalar.isTerminalControl || (keepingLines && scalar == "\n") ? scalar : "\u{FFFD}"
    }
    return String(String.UnicodeScalarView(scalars))
  }
}

extension StringProtocol {
  /// The text with its first character in lower case.
  package var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}

extension [[String]] {
  /// Returns the rows in columns, one on each line.
  /// - Parameter alignedRight: Returns true for a column of numbers.
  func inColumns(alignedRight: (Int) -> Bool = { _ in false }) -> String {
    let widths = (first ?? []).indices.map { column in map { $0[column].cellWidth }.max() ?? 0 }
    return map { row in
      let cells = row.enumerated().map { column, cell in
        cell.padded(to: widths[column], alignedRight: alignedRight(column))
      }
      return cells.joined(separator: "  ").withoutTrailingSpaces + "\n"
    }
    .joined()
  }
}
