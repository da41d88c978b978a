import Dashboard
import Foundation
import Testing

@testable import CarillonRuntime

/// The README's tables are generated from the program's own; `UPDATE_README=1 make test` updates
/// them.
struct ReadmeTests {
  private static let file = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .appendingPathComponent("README.md")

  @Test(.serialized, arguments: ["keys", "grammar"])
  func theTablesMatchTheProgram(name: String) throws {
    let manual = Manual()
    let table =
      name == "keys"
      ? manual.keys.map { "**\($0.heading)**\n\n" + Self.table($0, head: "key | does") }
        .joined(separator: "\n")
      : Self.table(manual.grammar, head: "syntax | meaning")
    var readme = try String(contentsOf: Self.file, encoding: .utf8)
    let start = try #require(readme.range(of: "<!-- generated: \(name) -->\n"))
    let end = try #require(
      readme.range(of: "<!-- end -->", range: start.upperBound..<readme.endIndex))
    let written = readme[start.upperBound..<end.lowerBound]
    if ProcessInfo.processInfo.environment["UPDATE_README"] != nil {
      readme.replaceSubrange(start.upperBound..<end.lowerBound, with: table)
      try readme.write(to: Self.file, atomically: true, encoding: .utf8)
    } else {
      #expect(String(written) == table, "UPDATE_README=1 make test updates it")
    }
  }

  @Test func itsConfigurationsAreValid() throws {
    let readme = try String(contentsOf: Self.file, encoding: .utf8)
    let configurations = readme.matches(of: /```toml\n(?<text>[\s\S]*?)```/).map(\.text)
    #expect(!configurations.isEmpty)
    for text in configurations {
      #expect(throws: Never.self) { try Configuration(Array(text.utf8), file: "README.md") }
    }
  }

  private static func table(_ section: Manual.Section, head: String) -> String {
    let rows = section.entries.map { entry in
      "| \(code(entry.term)) | \(entry.meaning) |"
    }
    return (["| \(head) |", "|---|---|"] + rows).joined(separator: "\n") + "\n"
  }

  private static func code(_ text: String) -> String {
    "`" + text.replacingOccurrences(of: "|", with: "\\|") + "`"
  }
}
