import TerminalCore
import Testing

@testable import Dashboard
@testable import Lab

struct SceneListTests {
  @Test func listHasEveryScene() {
    #expect(
      Set(Scene.all.map(\.name)) == [
        "modes", "observers", "interval", "countdown", "debounce", "throttle", "background",
        "buffer", "session", "race", "missed", "clocks", "accuracy",
      ])
    #expect(Set(Scene.all.map(\.name)).count == Scene.all.count)
  }

  @Test(arguments: Scene.all.map(\.name))
  func sceneHasItsTexts(name: String) throws {
    let scene = try #require(Scene.named(name))
    #expect(scene.explanation.count == 3)
    #expect(scene.explanation.allSatisfy { $0.hasSuffix(".") })
    #expect(scene.about.count <= 65)
    let code = scene.codeText
    for listing in scene.listings {
      let first = try #require(listing.lines.first)
      #expect(code.contains(first))
    }
  }

  @Test func sceneKeysDoNotCollideWithBindings() {
    for scene in Scene.all {
      for hint in scene.keys {
        for case .input(let character) in hint.commands {
          #expect(character.isLowercase)
          for scope in [Binding.Scope.lab, .global] {
            let action = Bindings.standard.action(for: .character(character), in: scope)
            #expect(action == nil, "\(scene.name): \(character)")
          }
        }
      }
    }
  }

  @Test func unsafeListingsAreMarked() {
    let unsafe = Scene.all.flatMap(\.listings).filter(\.isCounterexample).map(\.title)
    #expect(
      unsafe == [
        "the container as published", "deferred call", "cancellable timer",
        "identity check", "chained waits",
      ])
    for scene in Scene.all where scene.listings.contains(where: \.isCounterexample) {
      #expect(scene.codeText.contains("DO NOT DO THIS"))
      #expect(scene.listings.contains { !$0.isCounterexample }, "\(scene.name): no safe listing")
    }
  }
}
