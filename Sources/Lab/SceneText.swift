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

/// A piece of source code that a scene runs and shows.
///
/// The code lies between the lines `// region: NAME` and `// endregion` of a source file. A target
/// cannot compile a file and embed its text too, so `Listings.txt` has a copy, which is embedded.
/// `UPDATE_TEXTS=1 swift test --filter LabTests` writes the copy, and a test fails if it differs.
extension LabCode {
  /// Creates a piece with the lines of a region, which may have several parts; empty if there is no such region.
  init(_ title: String, region: String, isCounterexample: Bool = false) {
    self.init(title, isCounterexample: isCounterexample, lines: Self.regions[region] ?? [])
  }

  /// The lines of each region.
  private static let regions: [String: [String]] = {
    var regions: [String: [String]] = [:]
    var name: String?
    let text = String(decoding: PackageResources.Listings_txt, as: UTF8.self)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("// region: ") {
        name = String(line.dropFirst("// region: ".count))
      } else if line == "// endregion" {
        name = nil
      } else if let name {
        regions[name, default: []].append(String(line))
      }
    }
    return regions
  }()
}
