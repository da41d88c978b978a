import Dashboard
import Foundation
import Testing

@testable import Lab

/// The source code that scenes show is the code that runs.
struct SourceListingTests {
  private static let longest = 45

  private static var allListings: [LabCode] { Scene.all.flatMap(\.listings) }

  private func regions() throws -> SourceRegions {
    try SourceRegions(folder: StoredText("Sources/Lab").url)
  }

  /// `UPDATE_TEXTS=1` writes the embedded copy; the next build embeds it.
  @Test func embeddedCopyEqualsTheSourceCode() throws {
    try StoredText("Sources/Lab/Listings.txt").expect(regions().text)
    for (region, lines) in try regions().lines {
      #expect(LabCode("", region: region).lines == lines, "\(region)")
    }
  }

  @Test func everyListingIsFoundAndShort() throws {
    for listing in Self.allListings {
      let lines = listing.lines
      #expect((1...Self.longest).contains(lines.count), "\(listing.title)")
      #expect(
        lines.allSatisfy { $0.count <= 100 }, "\(listing.title)")
      #expect(lines.first?.hasPrefix(" ") == false, "\(listing.title)")
    }
    #expect(LabCode("", region: "no such region").lines == [])
  }

  @Test func everyRegionIsShownByAScene() throws {
    #expect(try Set(regions().lines.values) == Set(Self.allListings.map(\.lines)))
  }

  @Test func partsOfARegionAreJoinedWithoutIndentation() throws {
    let source = """
      // region: a
        first {
          second
        }
      // endregion
      not shown
          // region: a
          third
          // endregion
      """
    #expect(
      try SourceRegions(source: source).lines == ["a": ["first {", "  second", "}", "", "third"]])
  }

  @Test(arguments: [
    ("// region: a\nx", 2, "region without an end"), ("// endregion", 1, "end without a region"),
    ("// region: a\n// region: b", 2, "region inside of a region"),
  ])
  func malformedRegionIsAnError(source: String, line: Int, problem: String) {
    #expect(throws: SourceRegions.MalformedRegion(line: line, problem: problem)) {
      try SourceRegions(source: source)
    }
  }
}
