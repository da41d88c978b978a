import TerminalCore

/// The themes in a text. A line `theme NAME` begins each theme, and each line below it is a style's name and the style
/// in words; after a `|` follow its colors on a terminal with 256. A line that begins with `#` is a comment, and so is
/// the text after `  # `.
struct ThemeData {
  let themes: [Theme]

  init(_ text: String) {
    var blocks: [(name: String, styles: [String: Style], picked: [Color: Color])] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let end = line.firstRange(of: "  # ")?.lowerBound ?? line.endIndex
      let parts = line[..<end].split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      if parts[0] == "theme" {
        blocks.append((parts[1], [:], [:]))
        continue
      }
      let styles = parts[1].split(separator: "|")
        .compactMap { try? Style(words: String($0), forKey: parts[0]) }
      guard let exact = styles.first, let picked = styles.last, !blocks.isEmpty else { continue }
      blocks[blocks.count - 1].styles[parts[0]] = exact
      blocks[blocks.count - 1].picked[exact.foreground] = picked.foreground
      blocks[blocks.count - 1].picked[exact.background] = picked.background
    }
    themes = blocks.map { Self.theme($0.name, $0.styles, $0.picked) }
  }

  private static func theme(
    _ name: String, _ styles: [String: Style], _ picked: [Color: Color]
  ) -> Theme {
    func color(_ name: String) -> Color { styles[name]?.foreground ?? .standard }
    return Theme(name: name, screen: styles["screen"] ?? .plain, picked: picked) { role in
      switch role {
      case .text, .success: .plain
      case .faint, .idle, .incomplete, .pausedBar: Style(color("faint"))
      case .title, .selectedName, .time: Style(attributes: .bold)
      case .key, .rowSymbol: Style(color("accent"), attributes: .bold)
      case .selectedRow, .markedRow: Style(color("screen"), on: color("selected"))
      case .running, .bar, .rest: Style(color("running"))
      case .executing: Style(color("running"), attributes: .bold)
      case .paused: Style(color("paused"))
      case .finished, .finishedBar: Style(color("accent"))
      case .cancelled: Style(color("failed"))
      case .work: Style(color("work"))
      case .elapsed: Style(color("elapsed"))
      case .track: Style(color("track"))
      case .urgent, .alert, .failure, .error: Style(color("failed"), attributes: .bold)
      }
    }
  }
}
