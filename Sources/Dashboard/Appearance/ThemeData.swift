import TerminalCore

extension Theme {
  /// Returns the themes in a text. A line `theme NAME` begins each theme, and each line below it is the name of a style or
  /// of a role, and the style in words; after a `|` follow its colors on a terminal with 256. A line that begins with `#`
  /// is a comment, and so is the text after `  # `.
  static func themes(in text: String) -> [Theme] {
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
    return blocks.map { Theme($0.name, $0.styles, picked: $0.picked) }
  }

  /// Creates a theme in which the styles of some roles follow from those of others.
  private init(_ name: String, _ styles: [String: Style], picked: [Color: Color]) {
    func style(_ name: String) -> Style { styles[name] ?? .plain }
    self.init(
      name: name, screen: style("screen"),
      rowsKeepColors: style("selected-row").attributes.isEmpty, picked: picked
    ) { role in
      if let own = styles[role.name] { return own }
      return switch role {
      case .idle, .incomplete, .pausedBar: style("faint")
      case .title, .selectedName, .time: Style(attributes: .bold)
      case .key, .rowSymbol: style("accent").adding(.bold)
      case .selectedRow, .markedRow:
        Style(style("screen").foreground, on: style("selected").foreground)
      case .bar, .rest: style("running")
      case .executing: style("running").adding(.bold)
      case .finished, .finishedBar: style("accent")
      case .cancelled: style("failed")
      case .urgent, .alert, .failure, .error: style("failed").adding(.bold)
      default: .plain
      }
    }
  }
}
