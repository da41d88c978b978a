/// A complete control sequence of a terminal, `ESC [ parameters final` or `ESC O parameters final`.
struct ControlSequence {
  /// The byte `<`, `=`, `>` or `?` before the parameters of a private sequence.
  private var prefix: UInt8?
  private var numbers: [Int] = []
  private var hasIntermediate = false
  private let final: UInt8

  init(parameters: [UInt8], final: UInt8) {
    self.final = final
    var number: Int?
    var isSubparameter = false
    for (index, byte) in parameters.enumerated() {
      switch byte {
      case 0x30...0x39 where !isSubparameter:
        number = min((number ?? 0) * 10 + Int(byte - 0x30), 1_000_000)
      case 0x30...0x39: break
      case 0x3A:
        // Subparameters follow (`13:2u`); the parameter itself is enough.
        isSubparameter = true
      case 0x3B:
        numbers.append(number ?? 0)
        number = nil
        isSubparameter = false
      case 0x3C...0x3F where index == 0: prefix = byte
      default: hasIntermediate = true
      }
    }
    if number != nil || !numbers.isEmpty { numbers.append(number ?? 0) }
  }

  var isPasteStart: Bool { isPlain && final == UInt8(ascii: "~") && numbers.first == 200 }

  private var isPlain: Bool { prefix == nil && !hasIntermediate }

  /// The input of a sequence after `ESC [`; `nil` if it is not input.
  var input: TerminalInput? {
    if prefix == UInt8(ascii: "<"), !hasIntermediate, numbers.count == 3 {
      let isRelease = final == UInt8(ascii: "m")
      guard isRelease || final == UInt8(ascii: "M") else { return nil }
      return MouseEvent(report: numbers[0], x: numbers[1], y: numbers[2], isRelease: isRelease)
        .map { .mouse($0) }
    }
    guard isPlain else { return nil }
    switch final {
    case UInt8(ascii: "I") where numbers.isEmpty: return .focus(true)
    case UInt8(ascii: "O") where numbers.isEmpty: return .focus(false)
    default: return key.map { .key($0) }
    }
  }

  private var key: Key? {
    switch final {
    case UInt8(ascii: "~"): return numbered(adding: [])
    case UInt8(ascii: "$"): return numbered(adding: .shift)
    case UInt8(ascii: "^"): return numbered(adding: .control)
    case UInt8(ascii: "@"): return numbered(adding: [.shift, .control])
    case UInt8(ascii: "u"): return numbers.first.flatMap { coded($0, modifiers) }
    case UInt8(ascii: "Z"): return Key(.backtab, modifiers.subtracting(.shift))
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      return numbers.isEmpty ? Self.cursor(final - 0x20).map { Key($0, .shift) } : nil
    case UInt8(ascii: "R"):
      // F3 sends 1 and its modifiers; with another row it is a report of the cursor's position.
      guard numbers.isEmpty || (numbers[0] == 1 && numbers.count == 2) else { return nil }
      return Key(.function(3), modifiers)
    default:
      return Self.cursor(final).map { Key($0, modifiers) }
    }
  }

  /// The key of a sequence after `ESC O`; `nil` if it is no key.
  var applicationKey: Key? {
    // Old terminals send the modifier as the only parameter: `ESC O 5 A`.
    let modifiers = numbers.count == 1 ? Self.modifiers(numbers[0]) : self.modifiers
    switch final {
    case UInt8(ascii: "a")...UInt8(ascii: "d"):
      return Self.cursor(final - 0x20).map { Key($0, .control) }
    case UInt8(ascii: "M"): return Key(.enter, modifiers)
    case UInt8(ascii: "I"): return Key(.tab, modifiers)
    case UInt8(ascii: " "): return Key(.character(" "), modifiers)
    case UInt8(ascii: "X"): return Key(.character("="), modifiers)
    case UInt8(ascii: "j")...UInt8(ascii: "y"):
      // The numeric pad sends its characters plus 0x40.
      return Key(.character(Character(Unicode.Scalar(final - 0x40))), modifiers)
    default:
      return Self.cursor(final).map { Key($0, modifiers) }
    }
  }

  private static func cursor(_ final: UInt8) -> Key.Code? {
    switch final {
    case UInt8(ascii: "A"): .up
    case UInt8(ascii: "B"): .down
    case UInt8(ascii: "C"): .right
    case UInt8(ascii: "D"): .left
    case UInt8(ascii: "F"): .end
    case UInt8(ascii: "H"): .home
    case UInt8(ascii: "P")...UInt8(ascii: "S"): .function(Int(final) - 0x4F)
    default: nil
    }
  }

  /// Returns the key of `ESC [ number ~`, with the modifiers that rxvt encodes in the final byte.
  private func numbered(adding added: Key.Modifiers) -> Key? {
    guard let number = numbers.first else { return nil }
    let modifiers = modifiers.union(added)
    switch number {
    case 1, 7: return Key(.home, modifiers)
    case 2: return Key(.insert, modifiers)
    case 3: return Key(.delete, modifiers)
    case 4, 8: return Key(.end, modifiers)
    case 5: return Key(.pageUp, modifiers)
    case 6: return Key(.pageDown, modifiers)
    case 11...15: return Key(.function(number - 10), modifiers)
    case 17...21: return Key(.function(number - 11), modifiers)
    case 23...26: return Key(.function(number - 12), modifiers)
    case 28, 29: return Key(.function(number - 13), modifiers)
    case 31...34: return Key(.function(number - 14), modifiers)
    case 27 where numbers.count == 3: return coded(numbers[2], modifiers)
    default: return nil
    }
  }

  /// Returns the key of a character code, as terminals with an extended keyboard protocol report
  /// it.
  private func coded(_ code: Int, _ modifiers: Key.Modifiers) -> Key? {
    switch code {
    case 27: return Key(.escape, modifiers)
    case 9:
      return modifiers.contains(.shift)
        ? Key(.backtab, modifiers.subtracting(.shift)) : Key(.tab, modifiers)
    case 13: return Key(.enter, modifiers)
    case 8, 127: return Key(.backspace, modifiers)
    case 0x20...0x7E, 0xA0...0xDFFF, 0xF900...0x10FFFF:
      guard let scalar = UInt32(exactly: code).flatMap(Unicode.Scalar.init) else { return nil }
      // Shift is part of the character. Some terminals send the unshifted letter.
      let needsShift = modifiers.contains(.shift) && (0x61...0x7A).contains(code)
      let character = needsShift ? Character(scalar.properties.uppercaseMapping) : Character(scalar)
      return Key(.character(character), modifiers.subtracting(.shift))
    default: return nil
    }
  }

  private var modifiers: Key.Modifiers { numbers.count > 1 ? Self.modifiers(numbers[1]) : [] }

  /// Returns the modifiers of a parameter: 1 plus 1 for Shift, 2 for Alt, 4 for Ctrl, 8 for Meta.
  private static func modifiers(_ parameter: Int) -> Key.Modifiers {
    let bits = max(0, parameter - 1)
    // `Key.Modifiers` has the same bits, but no Meta.
    return Key.Modifiers(rawValue: UInt8(bits & 7)).union(bits & 8 != 0 ? .alt : [])
  }
}
