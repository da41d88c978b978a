import TerminalCore

/// The styles of all roles. Nothing is indicated by color alone, so that each theme is readable without colors.
package struct Theme: Hashable, Sendable {
  package private(set) var name: String
  /// The colors of text and background for styles that set none; plain for the terminal's own colors.
  private(set) var screen: Style
  /// A Boolean value that indicates whether texts keep their colors in the selected row and in marked ones.
  private(set) var rowsKeepColors: Bool
  private var styles: [Style]
  /// The hand-picked one of 256 colors for an exact color. The nearest one can have the right hue and too little
  /// contrast with its background, which became another color, too; only a whole set of colors can be judged.
  private let picked: [Color: Color]

  init(
    name: String, screen: Style = .plain, rowsKeepColors: Bool = true,
    picked: [Color: Color] = [:], _ style: (Role) -> Style
  ) {
    self.picked = picked
    self.name = name
    self.screen = screen
    self.rowsKeepColors = rowsKeepColors
    styles = Role.allCases.map(style)
  }

  /// Creates a theme from another one with some styles changed.
  /// - Parameter styles: The styles by the names of their roles, such as `paused`, as attributes and colors
  ///   in words: `bold yellow on black`. `screen` is the style of the background and of plain text.
  package init(
    name: String, basedOn base: Theme = .standard, styles: [String: String]
  ) throws(ThemeError) {
    self = base
    self.name = name
    for (key, words) in styles.sorted(by: { $0.key < $1.key }) {
      let style = try Style(words: words, forKey: key)
      if key == "screen" {
        screen = style
      } else if let role = Role.allCases.first(where: { $0.name == key }) {
        self.styles[role.rawValue] = style
      } else {
        throw ThemeError(
          key: key, unknown: key, kind: "style",
          known: Role.allCases.map(\.name).sorted() + ["screen"])
      }
    }
  }

  subscript(role: Role) -> Style { styles[role.rawValue] }

  /// The style of an alert as text.
  var alertText: Style {
    var style = self[.alert]
    style.attributes.remove(.underline)
    return style
  }

  /// The style of an alert as a plane: white on a deep shade of its color, or reversed where colors are few.
  var alertPlane: Style {
    var style = alertText
    guard rowsKeepColors, let color = style.foreground.components else {
      style.attributes.insert(.reverse)
      return style
    }
    func deep(_ component: Int) -> UInt8 { UInt8(clamping: component * 5 / 8) }
    style.foreground = .rgb(255, 255, 255)
    style.background = .rgb(deep(color.red), deep(color.green), deep(color.blue))
    style.attributes.remove(.reverse)
    return style
  }

  /// Returns the style of a text. That of a plane is black or white, whichever has the higher contrast with the color of
  /// the role; without colors, it is the style of the role in reverse.
  func style(of role: Role, on surface: TextLine.Surface) -> Style {
    let style = self[role]
    if surface == .screen { return style }
    guard let color = style.foreground.components, !style.attributes.contains(.reverse) else {
      return surface == .edge ? style : style.adding([.reverse, .bold])
    }
    if surface == .edge { return Style(style.foreground) }
    // The weights of the parts in the brightness, with a gamma of 2. Above 0.18, black has the higher contrast.
    let parts = [(color.red, 0.2126), (color.green, 0.7152), (color.blue, 0.0722)]
    let brightness = parts.reduce(0) { $0 + Double($1.0 * $1.0) / 65025 * $1.1 }
    return Style(.indexed(brightness > 0.18 ? 16 : 231), on: style.foreground, .bold)
  }

  /// Returns a shade between the track of a bar and the color of a role; `nil` without colors.
  /// - Parameter count: The level of the color itself.
  func shade(_ level: Int, of count: Int, _ role: Role = .bar) -> Color? {
    guard let full = self[role].foreground.components,
      let track = self[.track].foreground.components
    else { return nil }
    func blend(_ from: Int, _ to: Int) -> UInt8 {
      UInt8(clamping: from + (to - from) * level / max(1, count))
    }
    return .rgb(
      blend(track.red, full.red), blend(track.green, full.green), blend(track.blue, full.blue))
  }

  /// Returns the theme for a number of colors. With fewer than 256, selected and marked rows have one of the eight
  /// basic colors as background, and their texts lose their own colors. ``mono``, which has no colors, is unchanged.
  func limited(toColors count: Int) -> Theme {
    guard count <= 256, self != .mono else { return self }
    var theme = self
    if count == 256 {
      theme.screen = picked(for: screen)
      theme.styles = styles.map(picked)
      return theme
    }
    theme.rowsKeepColors = false
    theme.styles[Role.selectedRow.rawValue] = Style(.white, on: .blue, .bold)
    theme.styles[Role.markedRow.rawValue] = Style(.white, on: .magenta, .bold)
    return theme
  }

  private func picked(for style: Style) -> Style {
    Style(
      picked[style.foreground] ?? style.foreground,
      on: picked[style.background] ?? style.background, style.attributes)
  }

  /// The built-in themes, in the order in which "next theme" selects them.
  package static let all: [Theme] = [.standard] + stored.prefix(2) + [.mono] + stored.dropFirst(2)

  /// A light one and one of high contrast, then copies of well-known themes, such as Nord.
  private static let stored = themes(
    in: String(decoding: PackageResources.Themes_txt, as: UTF8.self))

  /// A theme mostly in the terminal's own sixteen colors, which suits any background.
  package static let standard = Theme(name: "default") { role in
    switch role {
    case .text, .success: .plain
    // Readable on black and on white.
    case .faint, .idle, .incomplete, .pausedBar: Style(.indexed(244))
    case .title, .selectedName, .time: Style(attributes: .bold)
    case .key, .rowSymbol: Style(.cyan, attributes: .bold)
    // Both colors are set, so that the row is readable on any background.
    case .selectedRow: Style(.indexed(254), on: .indexed(236))
    case .markedRow: Style(.indexed(254), on: .indexed(17))
    case .running: Style(.green)
    // Not the terminal's own green: the shades of a bar are between known colors.
    case .bar, .rest: Style(.indexed(35))
    case .urgent: Style(.indexed(9), attributes: [.bold, .underline])
    case .work: Style(.indexed(32))
    case .elapsed: Style(.magenta)
    case .executing: Style(.indexed(10), attributes: .bold)
    case .paused: Style(.yellow)
    case .finished, .finishedBar: Style(.cyan)
    case .cancelled: Style(.red)
    case .track: Style(.indexed(238))
    case .alert: Style(.indexed(9), attributes: .bold)
    case .failure, .error: Style(.red, attributes: .bold)
    }
  }

  /// A theme with attributes only.
  package static let mono = Theme(name: "mono", rowsKeepColors: false) { role in
    switch role {
    case .selectedRow: Style(attributes: .reverse)
    case .markedRow, .executing: Style(attributes: .bold)
    case .urgent, .alert: Style(attributes: [.bold, .underline])
    // Plain, so that the last ten seconds, which are bold and underlined, stand out.
    case .time: .plain
    case .faint, .idle, .incomplete, .pausedBar, .track: Style(attributes: .dim)
    default: Style(attributes: standard[role].attributes)
    }
  }
}

extension Theme {
  /// A Boolean value that indicates whether parts of a bar or a lane cannot be distinguished by their colors: in all
  /// rows, or in a selected one, which takes the colors of its texts.
  var needsTextures: Bool { self[.track].foreground == .standard || !rowsKeepColors }

  /// Returns true if a text of a color keeps it in the selected row and in marked ones. Faint text does not, because it
  /// would be unreadable there.
  func keepsColorWhenHighlighted(_ color: Color) -> Bool {
    rowsKeepColors && color != self[.faint].foreground
  }
}

extension Canvas {
  /// Highlights a line as that of the selected row, or with another role.
  mutating func highlight(_ line: Rect, _ theme: Theme, as role: Role = .selectedRow) {
    let style = theme[role]
    restyle(line) { $0.merged(over: style, keepingColor: theme.keepsColorWhenHighlighted) }
  }

  /// Applies the style of a theme's screen: its colors wherever a style sets none, and its attributes everywhere.
  mutating func applyBaseStyle(_ screen: Style) {
    guard screen != .plain else { return }
    restyle(bounds) { style in
      Style(
        style.foreground == .standard ? screen.foreground : style.foreground,
        on: style.background == .standard ? screen.background : style.background,
        style.attributes.union(screen.attributes))
    }
  }
}

extension Style {
  init(_ foreground: Color = .standard, attributes: Attributes) {
    self.init(foreground, on: .standard, attributes)
  }

  /// Returns the style of a text combined with that of its row.
  /// - Parameter kept: Returns true for a color that the text keeps.
  func merged(over row: Style, keepingColor kept: (Color) -> Bool) -> Style {
    Style(
      foreground != .standard && kept(foreground) ? foreground : row.foreground,
      on: background == .standard ? row.background : background,
      attributes.union(row.attributes))
  }
}

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

/// The purpose of a style; a theme gives each role its style.
package enum Role: Int, CaseIterable, Sendable {
  case text
  /// Text of less importance.
  case faint
  case title
  /// A key, and what stands out like one, such as the arrow of the sorted column.
  case key
  /// The symbols before a selected and a marked row.
  case rowSymbol
  case selectedName
  /// The line of the selected row, and of a marked row; a text on it can keep its own color.
  case selectedRow, markedRow
  /// The time left, and the last ten seconds of it.
  case time, urgent
  case running, executing, paused, finished, idle, cancelled
  case bar, pausedBar, finishedBar
  /// The phases of a cycle, alternating.
  case work, rest
  /// The time that counts up: that of a stopwatch with its laps, and overtime.
  case elapsed
  /// The part of a bar that is not filled.
  case track
  /// A row that needs attention.
  case alert
  /// Notices of success and of failure.
  case success, failure
  /// The message about an incomplete and about an invalid text in a prompt.
  case incomplete, error

  // Purposes that share the style of another one.
  /// The mark of a fire or of a delivered value in a lane of the lab, and a good value in a table.
  package static let good = Role.bar
  /// A late or missed fire, or a back-off.
  static let warning = Role.paused
  /// A label or a time that stands out from the text beside it.
  static let emphasized = Role.selectedName

  /// The name of the role in the configuration: `selected-name`.
  var name: String { Self.names[rawValue] }

  private static let names = allCases.map { role in
    "\(role)".reduce(into: "") { name, character in
      name += character.isUppercase ? "-\(character.lowercased())" : String(character)
    }
  }
}
