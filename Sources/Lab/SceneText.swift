package import Dashboard

/// The text of a scene, from `Scenes.md`.
///
/// The file has a section for each scene: `# NAME: QUESTION`, paragraphs of explanation, lists `- LANE: USE` and `> WORD: MEANING`, and
/// the code to write, which `make snippets` compiles as it does the code of the documentation.
package struct SceneText: Sendable {
  package var question = ""
  /// Paragraphs that say why it happens.
  package var explanation: [String] = []
  /// The names of the variants, each with its use or its fault.
  package var uses: [LabPage.Term] = []
  /// The words that are not everyday words.
  package var terms: [LabPage.Term] = []
  /// The lines of the code to write.
  package var code: [String] = []

  static let all = sections(of: String(decoding: PackageResources.Scenes_md, as: UTF8.self))

  /// Returns the texts by the names of their scenes.
  static func sections(of file: String) -> [String: SceneText] {
    var texts: [String: SceneText] = [:]
    var name = ""
    var isInCode = false
    var isInSetup = false
    for line in file.split(separator: "\n").map(String.init) {
      let parts = line.dropFirst(2).split(separator: ": ", maxSplits: 1).map(String.init)
      if isInCode || line.hasPrefix("```") {
        if isInCode, line != "```" { texts[name]?.code.append(line) }
        isInCode = line != "```"
      } else if isInSetup || line.hasPrefix("<!--") {
        isInSetup = line != "-->"
      } else if line.hasPrefix("# "), parts.count == 2 {
        name = parts[0]
        texts[name] = SceneText(question: parts[1])
      } else if line.hasPrefix("- "), parts.count == 2 {
        texts[name]?.uses.append(.init(parts[0], parts[1]))
      } else if line.hasPrefix("> "), parts.count == 2 {
        texts[name]?.terms.append(.init(parts[0], parts[1]))
      } else {
        texts[name]?.explanation.append(line)
      }
    }
    return texts
  }
}
