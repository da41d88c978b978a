extension KeyParser {
  mutating func handleControl(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "$") where isNumber:
      // rxvt sends `$` at the end of a shifted key; otherwise `$` is part of a terminal's reply.
      finishControl(byte)
    case 0x20...0x3F:
      // One byte more than the limit is kept, which marks the sequence as too long.
      if sequence.count <= Self.sequenceLimit { sequence.append(byte) }
    case UInt8(ascii: "[") where sequence.isEmpty: state = .consoleFunction
    case UInt8(ascii: "M") where sequence.isEmpty: state = .oldMouse
    case 0x40...0x7E: finishControl(byte)
    default: restart(at: byte)
    }
  }

  private var isNumber: Bool {
    !sequence.isEmpty && sequence.allSatisfy { (0x30...0x39).contains($0) }
  }

  private mutating func finishControl(_ final: UInt8) {
    defer { if state != .paste { reset() } }
    guard sequence.count <= Self.sequenceLimit else { return }
    let control = ControlSequence(parameters: sequence, final: final)
    if control.isPasteStart {
      reset()
      state = .paste
    } else if case .key(let key) = control.input {
      emit(key)
    } else if let input = control.input {
      inputs.append(input)
    }
  }

  mutating func handleConsoleFunction(_ byte: UInt8) {
    guard (0x20...0x7E).contains(byte) else { return restart(at: byte) }
    if (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(byte) {
      emit(Key(.function(Int(byte - UInt8(ascii: "A")) + 1)))
    }
    reset()
  }

  mutating func handleOldMouse(_ byte: UInt8) {
    guard byte >= 0x20 else { return restart(at: byte) }
    sequence.append(byte)
    guard sequence.count == 3 else { return }
    let values = sequence.map { Int($0) - 0x20 }
    if let event = MouseEvent(report: values[0], x: values[1], y: values[2], isRelease: false) {
      inputs.append(.mouse(event))
    }
    reset()
  }

  mutating func handleSingleShift(_ byte: UInt8) {
    switch byte {
    case 0x30...0x3B:
      if sequence.count <= Self.sequenceLimit { sequence.append(byte) }
    case 0x20...0x7E:
      if sequence.count <= Self.sequenceLimit,
        let key = ControlSequence(parameters: sequence, final: byte).applicationKey
      {
        emit(key)
      }
      reset()
    default: restart(at: byte)
    }
  }
}

extension MouseEvent {
  /// Creates the event of a terminal's report: a number that encodes button, modifiers and kind,
  /// and a position counted from 1.
  init?(report: Int, x: Int, y: Int, isRelease: Bool) {
    guard report >= 0, report & 128 == 0 else { return nil }
    // Shift, Alt and Ctrl have the bits of `Key.Modifiers`, after the two of the button.
    let modifiers = Key.Modifiers(rawValue: UInt8(report >> 2 & 7))
    let button = report & 3
    let position = Point(x: max(0, x - 1), y: max(0, y - 1))
    let kind: Kind
    if report & 64 != 0 {
      guard button < 2, !isRelease else { return nil }
      kind = button == 0 ? .scrollUp : .scrollDown
    } else if report & 32 != 0 {
      guard button < 3 else { return nil }
      kind = .drag(button: button + 1)
    } else if isRelease {
      kind = .release(button: button + 1)
    } else {
      // The old encoding does not report which button was released.
      kind = button == 3 ? .release(button: 1) : .press(button: button + 1)
    }
    self.init(kind, at: position, modifiers)
  }
}
