import Foundation
import Testing

/// Every row of a table of calls, and every block of code on a page that promises it, is run by a test, word for word.
@Suite struct DocumentedCodeTests {
  private static let tables = [
    "Migration/ComingFromOtherTimers.md", "Migration/ComingFromOtherLanguages.md",
  ]
  private static let pages = [
    "GuardingYourOwnState.md", "Kinds/BackgroundTimer.md", "Kinds/Chunks.md",
    "Kinds/RateLimiter.md",
    "Kinds/Retries.md", "Kinds/Timeouts.md", "WhichTimer.md",
  ]

  @Test(arguments: tables)
  func everyRowOfATableHasATestThatRunsIt(page: String) throws {
    let rows = try DocumentationPage(page).rows
    #expect(rows.count > 30)
    let tests = try DocumentationTests.all(in: "Rows")
    for (section, rows) in Dictionary(grouping: rows, by: \.section) {
      let test = try #require(tests.first { $0.subject == section }, "\(section): no tests")
      #expect(test.hasSource, "\(section): no source")
      #expect(problems(of: rows, in: test) == [])
    }
  }

  @Test(arguments: pages)
  func everyBlockOfAPageHasATestThatRunsIt(page: String) throws {
    let blocks = try DocumentationPage(page).blocks
    #expect(!blocks.isEmpty)
    let test = try #require(
      try DocumentationTests.all(in: "Pages").first { $0.subject == page }, "no tests")
    #expect(problems(of: blocks, in: test) == [])
  }

  /// No file has tests for a table or a page that no longer exists.
  @Test func everyTestHasItsTableOrPage() throws {
    let headings = Set(try Self.tables.flatMap { try DocumentationPage($0).rows.map(\.section) })
    let tests = try DocumentationTests.all(in: "Rows").map(\.subject)
    #expect(Set(tests) == headings && tests.count == headings.count)
    #expect(try DocumentationTests.all(in: "Pages").map(\.subject).sorted() == Self.pages)
  }

  /// The page that leads to the types has a section for each row of its table.
  @Test func everyPurposeHasASectionWithCode() throws {
    let page = try DocumentationPage("WhichTimer.md")
    let purposes = page.text.matches(of: /(?m)^\| ([^|]+) \| [^|]+ \| [^|]+ \|$/).map {
      String($0.1)
    }
    #expect(purposes.count == 11)
    #expect(Array(purposes.dropFirst()) == page.blocks.map(\.name))
    for block in page.blocks {
      #expect(block.code.count == 1)
      #expect(block.code[0].split(separator: "\n").count <= 3, "\(block.name)")
    }
  }

  /// The page from version 1 has ten rows, and the sources declare every name of their right column.
  @Test func theNamesOfThePageFromVersion1Exist() throws {
    let page = try DocumentationPage("FromVersion1.md").text.replacing("``", with: "`")
    let rows = page.split(separator: "\n").filter { $0.hasPrefix("| ") }.dropFirst()
    #expect(rows.count == 10)
    let declared = try RepositoryFolder.declaredNames()
    for row in rows {
      let code = row.split(separator: "|")[1].matches(of: /`([^`]+)`/).map(\.1).joined(
        separator: " ")
      let names = Set(code.matches(of: /[A-Za-z]\w+/).map { String($0.0) }).subtracting([
        "tick", "try",
      ])
      #expect(names.subtracting(declared) == [])
    }
  }

  /// The figures of one page that another one cites are there.
  @Test func theLatenessOfRealTimeIsThatOfThePerformancePage() throws {
    let measured = try DocumentationPage("Performance.md").text
    let rows = try DocumentationPage("Clocks/RealTime.md").text.matches(
      of: /\| (?:a timer|1,000 timers) every .* \| ([\d.]+ µs) \| ([\d.]+ µs) \|/)
    #expect(rows.count == 3)
    for row in rows {
      let name = row.0.split(separator: "|")[0].trimmingCharacters(in: .whitespaces)
      #expect(measured.contains(try Regex("late, \(name): median [^\n]* \(row.1) ")))
      #expect(measured.contains(try Regex("late, \(name): 99 % [^\n]* \(row.2) ")))
    }
  }

  /// The check itself finds a row without a test, code that differs by a word, a test without an expectation, and a test
  /// without a row.
  @Test func theCheckFindsWhatIsMissing() {
    let rows = ["a", "b", "c"].map {
      DocumentedCode(section: "", name: $0, code: ["call(\($0)) { work() }"])
    }
    let tests = DocumentationTests(
      text: """
        // Row: a
          call(a) {
            work()  // a comment
          }
          #expect(true)
        // Row: b
          call(b) { try work() }
        // Row: d
          #expect(true)
        """)
    #expect(
      problems(of: rows, in: tests) == [
        "b: not word for word: call(b) { work() }", "b: nothing is expected", "c: no test",
        "d: no row",
      ])
  }

  private func problems(of rows: [DocumentedCode], in tests: DocumentationTests) -> [String] {
    var problems: [String] = []
    for row in rows {
      guard let part = tests.parts.first(where: { $0.names.contains(row.name) }) else {
        problems.append("\(row.name): no test")
        continue
      }
      for code in row.code where !part.contains(code) {
        problems.append("\(row.name): not word for word: \(code)")
      }
      if row.code.isEmpty { problems.append("\(row.name): no code") }
      if !part.contains("#expect") { problems.append("\(row.name): nothing is expected") }
    }
    let names = tests.parts.flatMap(\.names)
    problems += Set(names).subtracting(rows.map(\.name)).sorted().map { "\($0): no row" }
    if Set(names).count != names.count { problems.append("two tests for a row") }
    return problems
  }
}
