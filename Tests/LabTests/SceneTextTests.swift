import Testing

@testable import Lab

/// The scripts of the scenes on virtual time give exactly the stored lanes and counters.
struct SceneTextTests {
  @Test(arguments: Scene.virtual.map(\.name))
  func scriptGivesTheStoredText(name: String) throws {
    let scene = try #require(Scene.named(name))
    try StoredText("Tests/LabTests/Snapshots/\(name).txt").expect(scene.plainText() + "\n")
  }

  @Test(arguments: Scene.virtual.map(\.name))
  func everyRunGivesTheSameText(name: String) throws {
    let scene = try #require(Scene.named(name))
    let texts = (0..<3).map { _ in scene.plainText(width: 120) }
    #expect(texts.allSatisfy { $0 == texts[0] })
  }

  @Test(arguments: Scene.virtual.map(\.name))
  func asciiTextIsASCII(name: String) throws {
    let scene = try #require(Scene.named(name))
    let text = scene.plainText(isASCII: true)
    let isASCII = text.utf8.allSatisfy { $0 < 128 }
    #expect(isASCII)
    // Questions and code have question marks of their own.
    let unicode = scene.plainText().count { $0 == "?" }
    #expect(text.count { $0 == "?" } == unicode, "a mark without an ASCII form")
  }
}
