package import Dashboard

/// The text of a scene, from `Scenes.md`.
///
/// The file has a section for each scene: `# NAME: QUESTION`, paragraphs of explanation, lists and code. An entry of a list is
/// `- LANE: USE`, `- ✗ LANE: FAULT`, `- ~ LANE: USE` for a variant that is right for some purposes only, or `> WORD: MEANING`.
/// The code after the line `Wrong:` is that of the variant that fails, the other one the code to write. `make snippets`
/// compiles both as it does the code of the documentation.
package struct SceneText: Sendable {
  package var question = ""
  /// Paragraphs that say why it happens.
  package var explanation: [String] = []
  /// The names of the variants, each with its use or its fault.
  package var uses: [LabPage.Use] = []
  /// The words that are not everyday words.
  package var terms: [LabPage.Term] = []
  /// The lines of the code to write.
  package var code: [String] = []
  /// The lines of the code that fails.
  package var wrongCode: [String] = []

  static let all = sections(of: String(decoding: PackageResources.Scenes_md, as: UTF8.self))

  /// Returns the texts by the names of their scenes.
  static func sections(of file: String) -> [String: SceneText] {
    var texts: [String: SceneText] = [:]
    var name = ""
    var isInCode = false
    var isInSetup = false
    var isWrong = false
    for line in file.split(separator: "\n").map(String.init) {
      let parts = line.dropFirst(2).split(separator: ": ", maxSplits: 1).map(String.init)
      if isInCode || line.hasPrefix("```") {
        if isInCode, line != "```" {
          if isWrong {
            texts[name]?.wrongCode.append(line)
          } else {
            texts[name]?.code.append(line)
          }
        }
        isInCode = line != "```"
        isWrong = isWrong && isInCode
      } else if isInSetup || line.hasPrefix("<!--") {
        isInSetup = line != "-->"
      } else if line.hasPrefix("# "), parts.count == 2 {
        name = parts[0]
        texts[name] = SceneText(question: parts[1])
      } else if line.hasPrefix("- "), parts.count == 2 {
        texts[name]?.uses.append(use(parts[0], parts[1]))
      } else if line == "Wrong:" {
        isWrong = true
      } else if line.hasPrefix("> "), parts.count == 2 {
        texts[name]?.terms.append(.init(parts[0], parts[1]))
      } else {
        texts[name]?.explanation.append(line)
      }
    }
    return texts
  }

  private static func use(_ lane: String, _ meaning: String) -> LabPage.Use {
    let signs: [(String, LabPage.Verdict)] = [("✗ ", .wrong), ("~ ", .limited)]
    guard let (sign, verdict) = signs.first(where: { lane.hasPrefix($0.0) }) else {
      return .init(lane, .right, meaning)
    }
    return .init(String(lane.dropFirst(sign.count)), verdict, meaning)
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
