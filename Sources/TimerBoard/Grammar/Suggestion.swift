/// Finds the word that was most likely meant.
package enum Suggestion {
  /// The candidate that the fewest slips turn into `word`; `nil` where none is near.
  package static func nearest(to word: String, of candidates: [String]) -> String? {
    let length = word.count
    // A difference in length takes as many slips; so a long word is compared with no short ones.
    let near = candidates.filter { abs($0.count - length) <= mostSlips(in: $0) }
      .map { (word: $0, slips: slips(from: $0, to: word)) }
      .min { $0.slips < $1.slips }
    guard let near, near.slips > 0, near.slips <= mostSlips(in: near.word), near.word.count > 2
    else { return nil }
    return near.word
  }

  private static func mostSlips(in word: String) -> Int { max(1, word.count / 3) }

  /// Letters left out, put in, changed, or swapped with their neighbour.
  private static func slips(from: String, to: String) -> Int {
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
    // Only the letters' case differs: one slip.
    let slips = rows[a.count][b.count]
    return slips == 0 && from != to ? 1 : slips
  }
}
