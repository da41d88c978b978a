import TerminalCore
import Testing

@testable import Dashboard
@testable import Lab

struct SceneListTests {
  @Test func listHasEveryScene() {
    #expect(
      Set(Scene.all.map(\.name)) == [
        "modes", "countdown", "cycle", "stopwatch", "interval", "observers", "debounce",
        "throttle", "users", "background", "buffer", "session", "race", "window", "arrival",
        "missed", "tolerance", "suspend", "clocks", "accuracy",
      ])
    #expect(Set(Scene.all.map(\.name)).count == Scene.all.count)
  }

  @Test(arguments: Scene.all.map(\.name))
  func sceneHasItsTexts(name: String) throws {
    let scene = try #require(Scene.named(name))
    let text = scene.text
    #expect(text.question.hasSuffix("?") && text.question.count <= 65)
    #expect((1...2).contains(text.explanation.count))
    #expect(text.explanation.allSatisfy { $0.hasSuffix(".") })
    #expect((1...8).contains(text.code.count))
    #expect(text.uses.count >= 2)
    // The code of the variant that fails stands beside the code to write.
    #expect(name == "race" || (1...5).contains(text.wrongCode.count))
    #expect(name == "race" || text.uses.contains { $0.verdict == .wrong })
    let code = scene.codeText
    for listing in scene.listings {
      let first = try #require(listing.lines.first)
      #expect(code.contains(first))
    }
  }

  /// Every lane with an outcome has a line that says what to use it for, or why it fails. One is bad, and one is good.
  @Test(arguments: Scene.virtual.map(\.name))
  func everyVariantHasItsUse(name: String) throws {
    let scene = try #require(Scene.named(name))
    let outcomes = Played(scene).isGood
    #expect(Set(outcomes.values) == [true, false])
    let uses = Set(scene.text.uses.map(\.lane))
    #expect(uses.isSubset(of: outcomes.keys), "a use of no lane")
    for use in scene.text.uses {
      let isGood = outcomes[use.lane]
      #expect(use.verdict != .right || isGood == true, "\(use.lane) fails")
      #expect(use.verdict != .wrong || isGood == false, "\(use.lane) does not fail")
    }
    #expect(
      outcomes.filter { !$0.value }.keys.allSatisfy(uses.contains), "a bad lane without a word")
  }

  @Test func textsAreReadFromTheirFile() {
    let file = """
      # a: Why?

      First paragraph.

      Second one.

      - one: use it
      - ✗ two: do not
      - ~ three: only here
      > word: meaning: with a colon

      Wrong:

      <!-- snippet
      let x = 1
      -->
      ```swift
      x = 2
      ```

      ```swift
      # not a heading
      print(x)
      ```
      # b: How?
      """
    let texts = SceneText.sections(of: file)
    #expect(texts["a"]?.question == "Why?")
    #expect(texts["a"]?.explanation == ["First paragraph.", "Second one."])
    #expect(
      texts["a"]?.uses == [
        .init("one", .right, "use it"), .init("two", .wrong, "do not"),
        .init("three", .limited, "only here"),
      ])
    #expect(texts["a"]?.wrongCode == ["x = 2"])
    #expect(texts["a"]?.terms == [.init("word", "meaning: with a colon")])
    #expect(texts["a"]?.code == ["# not a heading", "print(x)"])
    #expect(texts["b"]?.question == "How?" && texts.count == 2)
    #expect(Set(SceneText.all.keys) == Set(Scene.all.map(\.name)))
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
        "a countdown by hand", "a stopwatch that counts ticks", "the container of an article",
        "waiting in the hope", "chained waits", "a delay for each press",
        "a throttle that is a debounce", "one limit for all", "cancel the timer",
        "deferred call", "compare timers", "wrong guard", "a window that its timer keeps",
        "releasing a suspended source",
      ])
    for scene in Scene.all where scene.listings.contains(where: \.isCounterexample) {
      #expect(scene.codeText.contains("DO NOT DO THIS"))
      #expect(scene.listings.contains { !$0.isCounterexample }, "\(scene.name): no safe listing")
    }
  }
}
