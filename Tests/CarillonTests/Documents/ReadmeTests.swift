import Dashboard
import Foundation
import Testing

@testable import CarillonRuntime
@testable import TimerBoard

/// The README and the pages in `docs`. The tables of keys and of the grammar are generated from the program's own;
/// `UPDATE_README=1 make test` updates them.
struct ReadmeTests {
  private static let pages =
    ["README.md"]
    + ["README", "comparison", "install", "keys", "scripts", "sessions", "timerkit", "timers"]
    .map { "docs/\($0).md" }

  /// One reads the README in a minute, and a page in a few.
  @Test(arguments: pages)
  func aPageIsShortAndItsLinksLead(_ name: String) throws {
    let file = repository.appendingPathComponent(name)
    let text = try String(contentsOf: file, encoding: .utf8)
    #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 200)
    let links = text.matches(of: /\]\((?<path>[^):#]+)\)/).map(\.path)
    for link in links where !link.hasSuffix("releases") {
      let target = file.deletingLastPathComponent().appendingPathComponent(String(link))
      #expect(FileManager.default.fileExists(atPath: target.path), "\(name): \(link)")
    }
  }

  @Test(.serialized, arguments: [("keys", "keys"), ("grammar", "timers")])
  func theTablesMatchTheProgram(name: String, page: String) throws {
    let file = repository.appendingPathComponent("docs/\(page).md")
    let manual = Manual()
    let table =
      name == "keys"
      ? manual.keys.map { "**\($0.heading)**\n\n" + Self.table($0, head: "key | does") }
        .joined(separator: "\n")
      : Self.table(manual.grammar, head: "syntax | meaning")
    var readme = try String(contentsOf: file, encoding: .utf8)
    let start = try #require(readme.range(of: "<!-- generated: \(name) -->\n"))
    let end = try #require(
      readme.range(of: "<!-- end -->", range: start.upperBound..<readme.endIndex))
    let written = readme[start.upperBound..<end.lowerBound]
    if ProcessInfo.processInfo.environment["UPDATE_README"] != nil {
      readme.replaceSubrange(start.upperBound..<end.lowerBound, with: table)
      try readme.write(to: file, atomically: true, encoding: .utf8)
    } else {
      #expect(String(written) == table, "UPDATE_README=1 make test updates it")
    }
  }

  @Test func itsConfigurationsAreValid() throws {
    let text = try Self.pages.map {
      try String(contentsOf: repository.appendingPathComponent($0), encoding: .utf8)
    }
    .joined()
    let configurations = text.matches(of: /```toml\n(?<text>[\s\S]*?)```/).map(\.text)
    #expect(!configurations.isEmpty)
    for text in configurations {
      #expect(throws: Never.self) { try Configuration(Array(text.utf8), file: "docs") }
    }
  }

  /// The three modes, and a kind for each keyword: `once` and `every` are words of the modes, `weekdays` is a form of `daily`.
  @Test func theTableOfKindsIsComplete() throws {
    let text = try String(
      contentsOf: repository.appendingPathComponent("README.md"), encoding: .utf8)
    let table = try #require(text.components(separatedBy: "| mode or kind |").last)
    let rows = table.matches(of: /\n\| ([a-z]+) \|/).map { String($0.1) }
    let kinds = Keyword.allCases.map(\.rawValue).filter {
      !["once", "every", "weekdays"].contains($0)
    }
    #expect(rows == ["once", "finite", "infinite"] + kinds)
    #expect(kinds.count == 8 && text.contains("## Three modes, eight more kinds"))
  }

  /// Every target of the Makefile has a line in `make help`, and every one that a document names exists.
  @Test func everyTargetHasALineOfHelp() throws {
    func contents(_ name: String) throws -> String {
      try String(contentsOf: repository.appendingPathComponent(name), encoding: .utf8)
    }
    let makefile = try contents("Makefile")
    let phony = try #require(makefile.firstMatch(of: /\.PHONY: ((?:.*\\\n)*.*)/)).1
    let targets = Set(phony.split { !($0.isLetter || $0 == "-") }.map(String.init))
    let helped = makefile.matches(of: /(?m)^([a-z][a-z -]*):.* ## ./).flatMap {
      $0.1.split(separator: " ")
    }
    #expect(targets.count > 20 && Set(helped.map(String.init)) == targets)
    for page in Self.pages + [".github/CONTRIBUTING.md", "packaging/README.md"] {
      for match in try contents(page).matches(of: /`make ([a-z][a-z -]*)/) {
        for name in match.1.split(separator: " ") {
          #expect(targets.contains(String(name)), "\(page): make \(name)")
        }
      }
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
