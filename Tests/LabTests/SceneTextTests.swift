import Testing

@testable import Lab

/// Each scene on virtual time: its script gives exactly these lanes and counters.
struct SceneTextTests {
  @Test(arguments: Scene.virtual.map(\.id))
  func scriptGivesExactlyTheStoredText(id: String) throws {
    let scene = try #require(Scene.named(id))
    try StoredText("Tests/LabTests/Snapshots/\(id).txt").expect(scene.plainText() + "\n")
  }

  @Test(arguments: Scene.virtual.map(\.id))
  func everyRunIsTheSame(id: String) throws {
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
    #expect(!text.contains("?"), "a sign without a form in ASCII")
  }
}
