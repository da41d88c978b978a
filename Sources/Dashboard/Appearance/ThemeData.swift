import TerminalCore

/// The themes in a text. A line `theme NAME` begins each theme, and each line below it is a style's name and the style
/// in words. A line that begins with `#` is a comment, and so is the text after `  # `.
struct ThemeData {
  let themes: [Theme]

  init(_ text: String) {
    var blocks: [(name: String, styles: [String: Style])] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let end = line.firstRange(of: "  # ")?.lowerBound ?? line.endIndex
      let parts = line[..<end].split(separator: " ", maxSplits: 1).map(String.init)
      guard parts.count == 2 else { continue }
      if parts[0] == "theme" {
        blocks.append((parts[1], [:]))
      } else if let style = try? Style(words: parts[1], forKey: parts[0]), !blocks.isEmpty {
        blocks[blocks.count - 1].styles[parts[0]] = style
      }
    }
    themes = blocks.map { Self.theme($0.name, $0.styles) }
  }

  private static func theme(_ name: String, _ styles: [String: Style]) -> Theme {
    func color(_ name: String) -> Color { styles[name]?.foreground ?? .standard }
    return Theme(name: name, screen: styles["screen"] ?? .plain) { role in
      switch role {
      case .text, .success: .plain
      case .faint, .idle, .incomplete, .pausedBar: Style(color("faint"))
      case .title, .selectedName, .time: Style(attributes: .bold)
      case .key, .rowSymbol: Style(color("accent"), attributes: .bold)
      case .selectedRow: Style(color("screen"), on: color("selected"))
      case .markedRow: Style(color("screen"), on: color("marked"))
      case .urgent: Style(color("urgent"), attributes: .bold)
      case .running, .bar: Style(color("running"))
      case .executing: Style(color("running"), attributes: .bold)
      case .paused: Style(color("paused"))
      case .finished, .finishedBar: Style(color("finished"))
      case .cancelled: Style(color("failed"))
      case .work: Style(color("work"))
      case .rest: Style(color("rest"))
      case .track: Style(color("track"))
      case .alert, .failure, .error: Style(color("failed"), attributes: .bold)
      }
    }
  }
}
