import Foundation
import Testing

/// The tests that SECURITY.md names for its guarantees exist.
struct SecurityPageTests {
  @Test func everyGuaranteeHasTests() throws {
    let page = try String(
      contentsOf: repository.appendingPathComponent(".github/SECURITY.md"), encoding: .utf8)
    let names = page.matches(of: /`([a-z]+[A-Z][A-Za-z]*)`/).map(\.1)
    #expect(names.count > 30)
    var sources = ""
    let tests = repository.appendingPathComponent("Tests")
    for case let file as URL in FileManager.default.enumerator(
      at: tests, includingPropertiesForKeys: nil) ?? .init()
    where file.pathExtension == "swift" {
      sources += try String(contentsOf: file, encoding: .utf8)
    }
    for name in names {
      #expect(sources.contains("func \(name)("), "no test \(name)")
    }
    // Every guarantee names a test.
    let guarantees = page.split(separator: "\n- ").dropFirst()
    for guarantee in guarantees { #expect(guarantee.contains(/`[a-z]+[A-Z]/), "\(guarantee)") }
  }
}
