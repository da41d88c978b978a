import Testing

/// Every row of a table of calls, and every block of code on a page that promises it, is run by a test, word for word.
@Suite struct DocumentedCodeTests {
  @Test(arguments: ["Migration/ComingFromOtherTimers.md", "Migration/ComingFromOtherLanguages.md"])
  func everyRowOfATableHasATestThatRunsIt(page: String) throws {
    let rows = try DocumentationPage(page).rows
    #expect(rows.count > 30)
    let tests = try DocumentationTests.files().map { try DocumentationTests($0) }
    for (section, rows) in Dictionary(grouping: rows, by: \.section) {
      let test = try #require(tests.first { $0.tables == [section] }, "\(section): no tests")
      #expect(test.hasSource, "\(section): no source")
      #expect(problems(of: rows, in: test) == [])
    }
  }

  /// No file has tests for a table that no longer exists.
  @Test func everyTestOfATableHasItsTable() throws {
    let pages = ["Migration/ComingFromOtherTimers.md", "Migration/ComingFromOtherLanguages.md"]
    let sections = Set(try pages.flatMap { try DocumentationPage($0).rows.map(\.section) })
    for file in try DocumentationTests.files() {
      #expect(sections.isSuperset(of: try DocumentationTests(file).tables), "\(file)")
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
