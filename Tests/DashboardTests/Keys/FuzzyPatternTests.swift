import Testing

@testable import Dashboard

/// The ranking of names for the letters that were typed.
@Suite struct FuzzyPatternTests {
  private static func ranked(_ names: [String], _ letters: String) -> [String] {
    let pattern = FuzzyPattern(letters)
    return names.compactMap { name in
      pattern.rank(of: name, length: name.utf8.count).map { (name: name, score: $0) }
    }
    .sorted { $0.score > $1.score }.map(\.name)
  }

  @Test(
    arguments: [
      // Equal, at the start, initials, a word inside, letters inside, apart.
      (
        "pa", ["xxpaxx", "pause-all", "my-pa", "pause", "pa", "xpxxa"],
        ["pa", "pause", "pause-all", "my-pa", "xxpaxx", "xpxxa"]
      ),
      ("nv", ["invent", "next-view"], ["next-view", "invent"]),
      (
        "tea", ["steam", "green tea", "tea-2", "the last", "tea"],
        ["tea", "tea-2", "green tea", "steam", "the last"]
      ),
      ("re", ["more", "reset", "redo"], ["redo", "reset", "more"]),
      (
        "ps", ["pause", "pause-scene", "previous-scene"],
        ["pause-scene", "previous-scene", "pause"]
      ),
      ("xyz", ["pause", "xy"], []),
    ])
  func ranksNames(_ letters: String, _ names: [String], _ expected: [String]) {
    #expect(Self.ranked(names, letters) == expected)
    #expect(Self.ranked(names, letters.uppercased()) == expected)
  }

  @Test(
    arguments: [
      ("pa", "pause-all", [0, 1]), ("pl", "pause-all", [0, 7]), ("al", "pause-all", [6, 7]),
      ("ps", "pause-scene", [0, 6]), ("茶", "お茶", [1]), ("t2", "Tea-2", [0, 4]), ("", "tea", []),
      ("q", "tea", []),
    ])
  func findsTheMatchedLetters(_ letters: String, _ name: String, _ expected: [Int]) {
    let pattern = FuzzyPattern(letters)
    #expect(pattern.matches(in: name).sorted() == expected)
  }

  /// Only the name is searched, not the text after it, and a long name only at its start.
  @Test func searchesTheStart() {
    let pattern = FuzzyPattern("x")
    #expect(pattern.rank(of: "tea x", length: 3) == nil)
    let long = String(repeating: "a", count: 64) + "x"
    #expect(pattern.rank(of: long, length: long.utf8.count) == nil)
    let wide = FuzzyPattern(String(repeating: "a", count: 100))
    let name = String(repeating: "a", count: 100)
    #expect(wide.rank(of: name, length: 100) == nil)
    #expect(wide.matches(in: name).isEmpty)
  }
}
