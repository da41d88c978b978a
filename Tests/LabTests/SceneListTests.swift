import TerminalCore
import Testing

@testable import Dashboard
@testable import Lab

struct SceneListTests {
  @Test func everySceneOfTheDesignIsThere() {
    #expect(
      Set(Scene.all.map(\.id)) == [
        "modes", "observers", "interval", "countdown", "debounce", "throttle", "background",
        "buffer", "session", "fiveways", "missed", "clocks", "accuracy",
      ])
    #expect(Set(Scene.all.map(\.id)).count == Scene.all.count)
  }

  @Test(arguments: Scene.all.map(\.id))
  func aSceneSaysWhatItIsAbout(id: String) throws {
    let scene = try #require(Scene.named(id))
    #expect(scene.look.count == 3)
    #expect(scene.look.allSatisfy { $0.hasSuffix(".") })
    #expect(scene.about.count <= 65)
    let code = scene.codeText
    for exhibit in scene.exhibits {
      let first = try #require(exhibit.lines.first)
      #expect(code.contains(first))
    }
  }

  @Test func noSceneTakesAKeyThatTheLabNeeds() {
    for scene in Scene.all {
      for hint in scene.keys {
        guard case .commands(let commands) = hint.deed else { continue }
        for case .input(let character) in commands {
          #expect(character.isLowercase)
          for scope in [Binding.Scope.lab, .global] {
            let action = Bindings.standard.action(for: .character(character), in: scope)
            #expect(action == nil, "\(scene.id): \(character)")
          }
        }
      }
    }
  }

  @Test func unsafeExhibitsAreMarked() {
    let unsafe = Scene.all.flatMap(\.exhibits).filter(\.isUnsafe).map(\.title)
    #expect(
      unsafe == [
        "the container as it was printed", "deferred call", "cancellable timer",
        "identity check", "waits that are added up",
      ])
    for scene in Scene.all where scene.exhibits.contains(where: \.isUnsafe) {
      #expect(scene.codeText.contains("DO NOT DO THIS"))
      #expect(scene.exhibits.contains { !$0.isUnsafe }, "\(scene.id): what to do in its place")
    }
  }

  @Test func whatIsShownIsWithoutTheLogging() {
    let lines = Scene.all.flatMap(\.exhibits).flatMap(\.lines)
    #expect(!lines.contains { $0.contains("log.note") || $0.contains("// shown") })
    #expect(lines.contains { $0.contains("guard timer.isCurrent(tick) else {") })
  }
}
