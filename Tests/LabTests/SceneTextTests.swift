import Testing

@testable import Lab

/// The scripts of the scenes on virtual time give exactly the stored lanes and counters.
struct SceneTextTests {
  @Test(arguments: Scene.virtual.map(\.id))
  func scriptGivesTheStoredText(id: String) throws {
    let scene = try #require(Scene.named(id))
    try StoredText("Tests/LabTests/Snapshots/\(id).txt").expect(scene.plainText() + "\n")
  }

  @Test(arguments: Scene.virtual.map(\.id))
  func everyRunGivesTheSameText(id: String) throws {
    let scene = try #require(Scene.named(id))
    let texts = (0..<3).map { _ in scene.plainText(width: 120) }
    #expect(texts.allSatisfy { $0 == texts[0] })
  }

  @Test(arguments: Scene.virtual.map(\.id))
  func asciiTextIsASCII(id: String) throws {
    let scene = try #require(Scene.named(id))
    let text = scene.plainText(isASCII: true)
    let isASCII = text.utf8.allSatisfy { $0 < 128 }
    #expect(isASCII)
    #expect(!text.contains("?"), "a sign without an ASCII form")
  }
}
