import TerminalCore

/// What a style is for; a theme gives each its look.
enum Role: Int, CaseIterable {
  case text
  /// What does not change, and what one need not read.
  case faint
  case title
  case key
  case selectionMark, selectedName
  case running, executing, paused, finished, idle, cancelled
  case bar, restingBar, finishedBar
  /// A row that calls for attention.
  case call
  /// What was done, and what could not be.
  case notice, refusal
  /// What is missing in a prompt, and what is wrong in it.
  case hint, fault
}

/// How everything looks. Nothing is told by colour alone, so each theme reads in mono too.
struct Theme: Hashable {
  private var styles: [Style]

  subscript(role: Role) -> Style { styles[role.rawValue] }

  /// In the terminal's own sixteen colours, so that it suits the background people chose.
  static let standard = Theme(
    styles: Role.allCases.map { role in
      switch role {
      case .text, .notice: .plain
      case .faint, .idle: Style(attributes: .dim)
      case .title, .selectedName: Style(attributes: .bold)
      case .key, .selectionMark: Style(.cyan, attributes: .bold)
      case .running: Style(.green)
      case .executing: Style(.green, attributes: [.bold, .reverse])
      case .paused: Style(.yellow)
      case .finished: Style(.cyan)
      case .cancelled: Style(.red)
      case .bar: Style(.green)
      case .restingBar: Style(.yellow, attributes: .dim)
      case .finishedBar: Style(.cyan, attributes: .dim)
      case .call: Style(attributes: [.bold, .reverse])
      case .hint: Style(attributes: .dim)
      case .refusal, .fault: Style(.red, attributes: .bold)
      }
    })

  /// The same without colours: attributes, symbols and words remain.
  var withoutColor: Theme {
    Theme(styles: styles.map { Style(attributes: $0.attributes) })
  }
}

extension Style {
  fileprivate init(_ foreground: Color = .standard, attributes: Attributes) {
    self.init(foreground, on: .standard, attributes)
  }
}
