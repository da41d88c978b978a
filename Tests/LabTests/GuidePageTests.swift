import Dashboard
import Foundation
import Testing

@testable import Lab

/// The page “How timers go wrong”, which is generated from the texts of the scenes.
struct GuidePageTests {
  private static let introduction = """
    # How timers go wrong

    Twenty demonstrations of timers, and of the errors that are easy to make with them. Each is a
    program, and the text below is its output.

    ## Overview

    `carillon demo countdown` shows a scene live: in slow motion, step by step, or with your own key
    presses as input. Time runs from left to right, with inputs above outputs. Unsafe code is taken
    from published articles and runs in the lab only.

    | scene | question | ✗ what goes wrong | ✓ what to use instead |
    |---|---|---|---|

    """

  /// Returns the row of a scene in the list at the start: its question, the first variant that goes wrong, and the first
  /// right one.
  private static func row(_ scene: Scene) -> String {
    func first(_ verdict: LabPage.Verdict) -> String {
      scene.text.uses.first { $0.verdict == verdict }.map { "\($0.lane): \($0.meaning)" } ?? ""
    }
    return "| `\(scene.name)` | \(scene.about) | \(first(.wrong)) | \(first(.right)) |\n"
  }

  @Test func pageIsGeneratedFromTheScenes() throws {
    var page = Self.introduction
    // Scenes with unsafe code come first.
    let isWrong = { (scene: Scene) in scene.listings.contains(where: \.isCounterexample) }
    let scenes = Scene.all.filter(isWrong) + Scene.all.filter { !isWrong($0) }
    page += scenes.map(Self.row).joined()
    for scene in scenes {
      page += "\n## \(scene.about.prefix(1).uppercased() + scene.about.dropFirst())\n\n"
      page += "```\n\(try StoredText.scene(scene.name))```\n"
      page += "\nWrite this.\n\n```swift\n\(scene.text.code.joined(separator: "\n"))\n```\n"
      for listing in scene.listings {
        let title =
          listing.isCounterexample
          ? "Do not do this: \(listing.title)" : "The code: \(listing.title)"
        page += "\n\(title).\n\n```swift\n\(listing.lines.joined(separator: "\n"))\n```\n"
      }
    }
    try StoredText("Sources/TimerKit/TimerKit.docc/HowTimersGoWrong.md").expect(page)
  }
}

extension StoredText {
  /// Returns the stored text of a scene, which the tests of the scenes compare with its output.
  fileprivate static func scene(_ name: String) throws -> String {
    try String(contentsOf: StoredText("Tests/LabTests/Snapshots/\(name).txt").url, encoding: .utf8)
  }
}
