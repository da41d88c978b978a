extension KeyParser {
  /// Handles one byte in the current state.
  mutating func handle(_ byte: UInt8) {
    switch state {
    case .ground: handleGround(byte)
    case .character: handleCharacter(byte)
    case .escape: handleEscape(byte)
    case .doubleEscape: handleDoubleEscape(byte)
    case .controlSequence: handleControl(byte)
    case .consoleFunction: handleConsoleFunction(byte)
    case .oldMouse: handleOldMouse(byte)
    case .singleShift: handleSingleShift(byte)
    case .string: handleString(byte)
    case .stringEscape: handleStringEscape(byte)
    case .paste:
      guard let text = paste.add(byte) else { return }
      inputs.append(.paste(text))
      reset()
    }
  }

  mutating func handleGround(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .escape
    case 0x00...0x7F:
      emit(Key(ascii: byte))
      hasAlt = false
    case 0xC2...0xF4:
      sequence.append(byte)
      state = .character
    default: hasAlt = false
    }
  }

  /// Drops the incomplete input and handles a byte that cannot belong to it.
  mutating func restart(at byte: UInt8) {
    reset()
    handleGround(byte)
  }

  mutating func handleCharacter(_ byte: UInt8) {
    guard byte & 0xC0 == 0x80 else { return restart(at: byte) }
    sequence.append(byte)
    let length = sequence[0] < 0xE0 ? 2 : sequence[0] < 0xF0 ? 3 : 4
    guard sequence.count == length else { return }
    if let scalar = String(validating: sequence, as: UTF8.self)?.unicodeScalars.first,
      scalar != "\u{FFFD}", scalar.properties.generalCategory != .control
    {
      emit(.character(Character(scalar)))
    }
    reset()
  }

  mutating func handleEscape(_ byte: UInt8) {
    switch Unicode.Scalar(byte) {
    case "\u{1B}": state = .doubleEscape
    case "[": state = .controlSequence
    case "O": state = .singleShift
    case "]", "P", "X", "^", "_": state = .string(introducer: byte)
    default:
      state = .ground
      hasAlt = true
      handleGround(byte)
    }
  }

  mutating func handleDoubleEscape(_ byte: UInt8) {
    switch byte {
    case 0x1B: emit(.escape)
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      hasAlt = true
      handleEscape(byte)
    default:
      emit(.escape)
      handleEscape(byte)
    }
  }

  mutating func handleString(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .stringEscape
    case 0x07, 0x18, 0x1A: reset()
    // Replies contain no control characters, so this byte is a key: Ctrl-C must not be lost.
    case 0x00..<0x20: restart(at: byte)
    // One byte is kept; without any, `timeout()` returns the introducer with Alt.
    default: if sequence.isEmpty { sequence.append(byte) }
    }
  }

  mutating func handleStringEscape(_ byte: UInt8) {
    reset()
    switch byte {
    case UInt8(ascii: "\\"): break
    case 0x1B: state = .escape
    default: handleEscape(byte)
    }
  }
}

extension Key {
  /// Creates the key of a byte below 0x80 other than `ESC`.
  fileprivate init(ascii byte: UInt8) {
    switch byte {
    case 0x08, 0x7F: self = .backspace
    case 0x09: self = .tab
    case 0x0A, 0x0D: self = .enter
    case 0x00: self = .control(" ")
    case 0x01...0x1A: self = .control(Character(Unicode.Scalar(byte + 0x60)))
    case 0x1B...0x1F: self = .control(Character(Unicode.Scalar(byte + 0x40)))
    default: self = .character(Character(Unicode.Scalar(byte)))
    }
  }
}
