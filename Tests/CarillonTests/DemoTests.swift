import ArgumentParser
import Lab
import Testing

@testable import carillon

struct DemoTests {
  @Test func aCommandsNameIsTheCommandAndAnythingElseIsATimer() throws {
    #expect(try Carillon.parseAsRoot(["demo", "debounce"]) is Demo)
    #expect(try Carillon.parseAsRoot(["tea=3m", "every", "30s"]) is Board)
    #expect(try Carillon.parseAsRoot([]) is Board)
    #expect(try Carillon.parseAsRoot(["x=1m", "demo"]) is Board)
  }

  @Test(arguments: Scene.all.map(\.id))
  func everySceneCanBeNamed(id: String) throws {
    #expect(try Demo.parse([id, "--plain"]).scene == id)
  }

  @Test(arguments: [
    (["missd", "--plain"], "“missed”"), (["five-ways"], "“fiveways”"), (["xyzzy"], "--list"),
    (["--plain"], "Name a scene"), (["modes", "--plain", "--code"], "one or the other"),
  ])
  func whatCannotBeIsSaidWithTheNearestThatCan(words: [String], hint: String) {
    let error = #expect(throws: (any Error).self) { try Demo.parse(words) }
    let message = error.map { Demo.fullMessage(for: $0) } ?? ""
    #expect(message.contains(hint), "\(message)")
    #expect(error.map { Demo.exitCode(for: $0) } == .validationFailure)
  }
}
