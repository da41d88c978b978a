/// Suggestions for misspelled words.
package enum Suggestion {
  /// Returns the candidate with the fewest typing errors between it and `word`; `nil` if none is similar.
  package static func nearest(to word: String, of candidates: [String]) -> String? {
    let length = word.count
    // The comparison takes time and memory in proportion to the square of the length.
    guard length <= 64 else { return nil }
    // Words whose lengths differ by more than the limit need not be compared.
    let near = candidates.filter { abs($0.count - length) <= errorLimit(in: $0) }
      .map { (word: $0, errors: errors(from: $0, to: word)) }
      .min { $0.errors < $1.errors }
    guard let near, near.errors > 0, near.errors <= errorLimit(in: near.word), near.word.count > 2
    else { return nil }
    return near.word
  }

  /// Returns `did you mean 'NAME'?` with the nearest candidate; `nil` if none is similar.
  package static func hint(for word: String, of candidates: [String]) -> String? {
    nearest(to: word, of: candidates).map { "did you mean '\($0)'?" }
  }

  /// Returns an error with the nearest candidate, or else with what was expected.
  static func message(
    _ problem: String, for word: String, of candidates: [String], expected: String
  ) -> String {
    "\(problem) (\(hint(for: word, of: candidates) ?? "expected \(expected)"))"
  }

  /// Returns the error for a name that no timer and no group has.
  package static func unknownTimer(_ name: String, of names: [String]) -> String {
    "unknown timer or group '\(name)'"
      + (hint(for: name, of: names).map { " (\($0))" } ?? "")
  }

  private static func errorLimit(in word: String) -> Int { max(1, word.count / 3) }

  /// Returns the number of letters that were omitted, inserted, changed or swapped with an adjacent one.
  private static func errors(from: String, to: String) -> Int {
    let a = Array(from.lowercased())
    let b = Array(to.lowercased())
    var rows = [Array(0...b.count)]
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var best = min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, rows[i - 1][j - 1] + 1)
        }
        row.append(best)
      }
      rows.append(row)
    }
    // A difference in case alone counts as one.
    let errors = rows[a.count][b.count]
    return errors == 0 && from != to ? 1 : errors
  }
}
