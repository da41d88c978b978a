/// A key press as a program sees it, whatever bytes the terminal sent for it.
public struct Key: Hashable, Sendable {
  /// What was pressed, modifiers aside.
  public enum Code: Hashable, Sendable {
    /// A printable character; Shift is already in it (`"R"`, `"?"`). Space is `" "`.
    case character(Character)
    case up, down, left, right
    case home, end, pageUp, pageDown, insert, delete
    case enter, tab, backtab, backspace, escape
    /// F1 is `function(1)`.
    case function(Int)
  }

  /// Keys held along with it. `shift` is only reported with keys that have no shifted character.
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

  /// The key of a printable character.
  public static func character(_ character: Character) -> Key {
    Key(.character(character))
  }

  /// Ctrl with a letter, which is given in lower case.
  public static func control(_ character: Character) -> Key {
    Key(.character(character), .control)
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

/// What the mouse did, in cells from the top left corner, both from 0.
public struct MouseEvent: Hashable, Sendable {
  /// Buttons count from 1: left, middle, right.
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

/// What a terminal's bytes say once they are parsed.
public enum TerminalInput: Hashable, Sendable {
  case key(Key)
  case mouse(MouseEvent)
  /// Pasted text, as one piece: never keys, whatever it holds.
  case paste(String)
  /// The terminal's window got the focus, or lost it.
  case focus(Bool)
}
