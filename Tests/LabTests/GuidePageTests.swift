import Foundation
import Testing

@testable import Lab

/// The page “How timers go wrong”: made from what the scenes print, and never by hand.
struct GuidePageTests {
  private static let introduction = """
    # How timers go wrong

    Thirteen demonstrations of what timers do, and of what they do where one does not look: each is a
    program that ran, and this is what it printed.

    ## Overview

    `carillon demo` shows them live: slowed down, step by step, and with your own key presses for
    inputs. Time runs to the right; what is put in stands above what comes out. What is marked as not
    to be done is taken from published code, and runs in the lab only.

    """

  @Test func thePageIsMadeFromTheScenes() throws {
    var page = Self.introduction
    // What goes wrong comes first.
    let isWrong = { (scene: Scene) in scene.exhibits.contains(where: \.isUnsafe) }
    for scene in Scene.all.filter(isWrong) + Scene.all.filter({ !isWrong($0) }) {
      page += "\n## \(scene.about.prefix(1).uppercased() + scene.about.dropFirst())\n\n"
      page += "```\n\(try StoredText.scene(scene.id))```\n"
      for exhibit in scene.exhibits {
        let title =
          exhibit.isUnsafe ? "Not to be done: \(exhibit.title)" : "The code: \(exhibit.title)"
        page += "\n\(title).\n\n```swift\n\(exhibit.lines.joined(separator: "\n"))\n```\n"
      }
    }
    try StoredText("Sources/TimerKit/TimerKit.docc/HowTimersGoWrong.md").expect(page)
  }
}

extension StoredText {
  /// What a scene prints; the scenes' own tests hold it to be true.
  fileprivate static func scene(_ id: String) throws -> String {
    try String(contentsOf: StoredText("Tests/LabTests/Snapshots/\(id).txt").url, encoding: .utf8)
  }
}
