import Testing

@testable import CursesTerminal

/// The terminfo entry with exact colors, made from the terminal's own one.
@Suite struct ExactColorsTests {
  private static func entry() throws -> [UInt8] {
    try #require(ExactColors.entry(of: "xterm-256color", [:]))
  }

  @Test func anEntryWith256ColorsHasAVariant() throws {
    let variant = try #require(ExactColors.variant(of: Self.entry()))
    let text = String(decoding: variant, as: UTF8.self)
    #expect(text.contains("carillon-direct|"))
    #expect(text.contains("38;2;") && text.contains("48;2;"))
    // It has too many colors for another variant.
    #expect(ExactColors.variant(of: variant) == nil)
  }

  /// A file can be cut or damaged anywhere.
  @Test func damagedEntriesAreNoEntries() throws {
    let entry = try Self.entry()
    for length in 0..<entry.count {
      // The capabilities by name at the end are not used.
      _ = ExactColors.variant(of: Array(entry.prefix(length)))
    }
    #expect(ExactColors.variant(of: Array(entry.prefix(100))) == nil)
    for position in 0..<min(64, entry.count) {
      for value: UInt8 in [0, 1, 0x7F, 0x80, 0xFF] {
        var damaged = entry
        damaged[position] = value
        _ = ExactColors.variant(of: damaged)
      }
    }
  }

  @Test func othersHaveNone() throws {
    #expect(ExactColors.entry(of: "../../etc/passwd", [:]) == nil)
    #expect(ExactColors.entry(of: "", [:]) == nil)
    let linux = ExactColors.entry(of: "linux", [:])
    #expect(linux.flatMap(ExactColors.variant) == nil)
  }

  @Test(arguments: [
    ("truecolor", "xterm-256color", true), ("24bit", "tmux-256color", true),
    ("", "xterm-256color", false), ("yes", "xterm-256color", false),
    ("truecolor", "screen-256color", false), ("truecolor", "xterm-direct", false),
  ])
  func theEnvironmentDecides(_ value: String, _ type: String, _ expected: Bool) {
    #expect(
      ExactColors.areAvailable(in: ["COLORTERM": value], terminalType: type) == expected)
  }
}
