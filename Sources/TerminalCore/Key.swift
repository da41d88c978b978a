/// A key press, independent of the bytes that the terminal sends for it.
public struct Key: Hashable, Sendable {
  /// A key without its modifiers.
  public enum Code: Hashable, Sendable {
    /// A printable character, which includes Shift (`"R"`, `"?"`). Space is `" "`.
    case character(Character)
    case up, down, left, right
    case home, end, pageUp, pageDown, insert, delete
    case enter, tab, backtab, backspace, escape
    /// A function key; F1 is `function(1)`.
    case function(Int)
  }

  /// The modifier keys. `shift` is only reported with keys that have no shifted character.
  public struct Modifiers: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8

    public init(rawValue: UInt8) {
      self.rawValue = rawValue
    }

    public static let shift = Modifiers(rawValue: 1)
    public static let alt = Modifiers(rawValue: 2)
    public static let control = Modifiers(rawValue: 4)
  }

  public var code: Code
  public var modifiers: Modifiers

  public init(_ code: Code, _ modifiers: Modifiers = []) {
    self.code = code
    self.modifiers = modifiers
  }

  /// Returns the key of a printable character.
  public static func character(_ character: Character) -> Key {
    Key(.character(character))
  }

  /// Returns Ctrl with a character; a letter is given in lower case.
  public static func control(_ character: Character) -> Key {
    Key(.character(character), .control)
  }

  /// The text that the key types: a printable character, without Ctrl or Alt.
  public var text: String? {
    guard case .character(let character) = code, modifiers.isSubset(of: .shift) else { return nil }
    return String(character)
  }

  public static let up = Key(.up)
  public static let down = Key(.down)
  public static let left = Key(.left)
  public static let right = Key(.right)
  public static let home = Key(.home)
  public static let end = Key(.end)
  public static let pageUp = Key(.pageUp)
  public static let pageDown = Key(.pageDown)
  public static let delete = Key(.delete)
  public static let enter = Key(.enter)
  public static let tab = Key(.tab)
  public static let backtab = Key(.backtab)
  public static let backspace = Key(.backspace)
  public static let escape = Key(.escape)
  public static let space = Key(.character(" "))
}

/// A mouse event. Its position is in cells from the top left corner, counted from 0.
public struct MouseEvent: Hashable, Sendable {
  /// The kind of the event. Buttons count from 1: left, middle, right.
  public enum Kind: Hashable, Sendable {
    case press(button: Int)
    case release(button: Int)
    case drag(button: Int)
    case scrollUp, scrollDown
  }

  public var kind: Kind
  public var position: Point
  public var modifiers: Key.Modifiers

  public init(_ kind: Kind, at position: Point, _ modifiers: Key.Modifiers = []) {
    self.kind = kind
    self.position = position
    self.modifiers = modifiers
  }
}

/// An input from a terminal.
public enum TerminalInput: Hashable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// Pasted text in one piece. Its characters are never keys.
  case paste(String)
  /// The terminal's window gained focus (true) or lost it (false).
  case focus(Bool)

  /// The text that the input types as a key; `nil` for other inputs, and for a paste.
  public var typedText: String? { if case .key(let key) = self { key.text } else { nil } }
}

extension Collection<TerminalInput> {
  /// The text that the first inputs type one after the other, and the number of these inputs.
  public var typedText: (text: String, count: Int) {
    let typed = lazy.map(\.typedText).prefix { $0 != nil }
    return (typed.compactMap(\.self).joined(), typed.count)
  }
}
