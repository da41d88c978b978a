import Foundation
import Testing

/// The tests that SECURITY.md names for its guarantees exist.
struct SecurityPageTests {
  @Test func everyPromiseHasItsTests() throws {
    let root = URL(fileURLWithPath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    let page = try String(
      contentsOf: root.appendingPathComponent(".github/SECURITY.md"), encoding: .utf8)
    let names = page.matches(of: /`([a-z]+[A-Z][A-Za-z]*)`/).map(\.1)
    #expect(names.count > 30)
    var sources = ""
    let tests = root.appendingPathComponent("Tests")
    for case let file as URL in FileManager.default.enumerator(
      at: tests, includingPropertiesForKeys: nil) ?? .init()
    where file.pathExtension == "swift" {
      sources += try String(contentsOf: file, encoding: .utf8)
    }
    for name in names {
      #expect(sources.contains("func \(name)("), "there is no test \(name)")
    }
    // And each promise has one.
    let promises = page.split(separator: "\n- ").dropFirst()
    for promise in promises { #expect(promise.contains(/`[a-z]+[A-Z]/), "\(promise)") }
  }
}
