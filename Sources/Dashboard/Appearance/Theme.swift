import TerminalCore

/// The styles of all roles. Nothing is indicated by color alone, so that each theme is readable in mono too.
package struct Theme: Hashable, Sendable {
  package let name: String
  /// The colors of text and background for styles that set none; plain for the terminal's own colors.
  let screen: Style
  private var styles: [Style]

  private init(name: String, screen: Style = .plain, _ style: (Role) -> Style) {
    self.name = name
    self.screen = screen
    styles = Role.allCases.map(style)
  }

  /// Creates a theme from another one with some styles changed.
  /// - Parameter styles: The styles by the names of their roles, such as `paused`, as attributes and colors
  ///   in words: `bold yellow on black`. `screen` is the style of the background and of plain text.
  package init(
    name: String, basedOn base: Theme = .standard, styles: [String: String]
  ) throws(ThemeError) {
    self.name = name
    var screen = base.screen
    var changed = base.styles
    let roles = Dictionary(uniqueKeysWithValues: Role.allCases.map { ($0.name, $0) })
    for (key, words) in styles.sorted(by: { $0.key < $1.key }) {
      let style = try Style(words: words, of: key)
      if key == "screen" {
        screen = style
      } else if let role = roles[key] {
        changed[role.rawValue] = style
      } else {
        throw ThemeError(
          key: key, unknown: key, kind: "style",
          known: roles.keys.sorted() + ["screen"])
      }
    }
    self.screen = screen
    self.styles = changed
  }

  subscript(role: Role) -> Style { styles[role.rawValue] }

  /// The theme without colors: only the attributes remain.
  var withoutColor: Theme {
    Theme(name: name) { Style(attributes: self[$0].attributes) }
  }

  /// The built-in themes, in the order in which "next theme" selects them.
  package static let all: [Theme] = [.standard, .light, .highContrast, .mono]

  /// A theme in the terminal's own sixteen colors, which suits any background.
  package static let standard = Theme(name: "default") { role in
    switch role {
    case .text, .notice: .plain
    case .faint, .idle, .hint: Style(attributes: .dim)
    case .title, .selectedName: Style(attributes: .bold)
    case .key, .selectionMark: Style(.cyan, attributes: .bold)
    case .running, .bar: Style(.green)
    case .executing: Style(.green, attributes: [.bold, .reverse])
    case .paused: Style(.yellow)
    case .finished: Style(.cyan)
    case .cancelled: Style(.red)
    case .restingBar: Style(.yellow, attributes: .dim)
    case .finishedBar: Style(.cyan, attributes: .dim)
    case .call: Style(attributes: [.bold, .reverse])
    case .refusal, .fault: Style(.red, attributes: .bold)
    }
  }

  /// A theme with dark text on white, whatever the terminal's own colors are.
  package static let light = Theme(
    name: "light", screen: Style(.black, on: .indexed(231))
  ) { role in
    switch role {
    case .text, .notice: .plain
    case .faint, .idle, .hint: Style(.indexed(241))
    case .title, .selectedName: Style(attributes: .bold)
    case .key, .selectionMark: Style(.indexed(25), attributes: .bold)
    case .running, .bar: Style(.indexed(28))
    case .executing: Style(.indexed(28), attributes: [.bold, .reverse])
    case .paused: Style(.indexed(130))
    case .finished: Style(.indexed(30))
    case .cancelled: Style(.indexed(124))
    case .restingBar: Style(.indexed(172))
    case .finishedBar: Style(.indexed(73))
    case .call: Style(attributes: [.bold, .reverse])
    case .refusal, .fault: Style(.indexed(124), attributes: .bold)
    }
  }

  /// A theme with bright text on black and without the attribute `dim`.
  package static let highContrast = Theme(
    name: "high-contrast", screen: Style(.indexed(15), on: .indexed(16))
  ) { role in
    switch role {
    case .text, .faint, .idle, .hint, .notice: .plain
    case .title: Style(attributes: [.bold, .underline])
    case .selectedName: Style(attributes: [.bold, .reverse])
    case .key, .selectionMark: Style(.indexed(11), attributes: .bold)
    case .running, .bar: Style(.indexed(10), attributes: .bold)
    case .executing: Style(.indexed(10), attributes: [.bold, .reverse])
    case .paused, .restingBar: Style(.indexed(11), attributes: .bold)
    case .finished, .finishedBar: Style(.indexed(14), attributes: .bold)
    case .cancelled: Style(.indexed(9), attributes: .bold)
    case .call: Style(.indexed(11), attributes: [.bold, .reverse])
    case .refusal, .fault: Style(.indexed(9), attributes: [.bold, .reverse])
    }
  }

  /// A theme with attributes only.
  package static let mono = Theme(name: "mono") { Style(attributes: standard[$0].attributes) }
}

extension Canvas {
  /// Applies the theme's colors of text and background wherever a style sets none.
  mutating func paint(_ screen: Style) {
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
}
