/// Turns a terminal's bytes into keys, pastes, mouse and focus events, however the bytes are cut.
///
/// A pure state machine: whoever feeds it also keeps the time. While ``pendingTimeout`` says so,
/// the bytes so far may be a whole key or the start of a longer sequence (a lone `ESC` is the
/// Escape key, or the first byte of an arrow); if nothing follows within that time, ``timeout()``
/// decides. Sequences that mean nothing here, a terminal's replies among them, vanish whole and
/// never show up as typed characters; so do bytes that are not UTF-8.
public struct KeyParser: Sendable {
  private enum State: Hashable {
    case ground
    /// Inside a character of several UTF-8 bytes.
    case character(bytesLeft: Int)
    /// After `ESC`.
    case escape
    /// After `ESC ESC`: two Escapes, or Alt with a sequence.
    case doubleEscape
    /// After `ESC [`.
    case control
    /// After `ESC [ [`: a function key of the Linux console.
    case consoleFunction
    /// After `ESC [ M`: three bytes of an old mouse report.
    case oldMouse
    /// After `ESC O`.
    case application
    /// Inside a string that a terminal replies with, after `ESC ]` or its like; it ends with BEL
    /// or `ESC \`.
    case string(introducer: UInt8)
    case stringEscape
    case paste
  }

  /// No sequence that means anything is longer.
  private static let sequenceLimit = 64

  private var state = State.ground
  /// Whether the key at hand came after an `ESC` of its own.
  private var hasAlt = false
  /// The bytes of a character, of parameters, or of an old mouse report.
  private var sequence: [UInt8] = []
  private var paste = PasteCollector()
  private var inputs: [TerminalInput] = []

  public init() {}

  /// Whether bytes are held back that what follows, or ``timeout()``, will decide.
  public var isWaiting: Bool { state != .ground }

  /// How long to wait for the next byte before calling ``timeout()``; `nil` when nothing is held.
  ///
  /// 25 ms where a key of its own may stand, such as Escape. More where only a sequence can: what
  /// is late on a slow line must not turn into typed characters, least of all the rest of a paste.
  public var pendingTimeout: Duration? {
    switch state {
    case .ground: nil
    case .escape, .doubleEscape: .milliseconds(25)
    case .control, .application, .string: .milliseconds(sequence.isEmpty ? 25 : 250)
    case .character, .consoleFunction, .oldMouse, .stringEscape: .milliseconds(250)
    case .paste: .seconds(1)
    }
  }

  /// Takes bytes in pieces of any size, and says what they complete.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
    for byte in bytes { take(byte) }
    return takeInputs()
  }

  /// Decides about what is held back, since nothing followed it in time.
  public mutating func timeout() -> [TerminalInput] {
    switch state {
    case .escape:
      emit(.escape)
    case .doubleEscape:
      emit(.escape)
      emit(.escape)
    case .control where sequence.isEmpty:
      emit(Key(.character("["), .alt))
    case .application where sequence.isEmpty:
      emit(Key(.character("O"), .alt))
    case .string(let introducer) where sequence.isEmpty:
      emit(Key(.character(Character(Unicode.Scalar(introducer))), .alt))
    case .paste:
      inputs.append(.paste(paste.finish()))
    default:
      break
    }
    reset()
    return takeInputs()
  }

  private mutating func takeInputs() -> [TerminalInput] {
    defer { inputs = [] }
    return inputs
  }

  private mutating func reset() {
    state = .ground
    hasAlt = false
    sequence.removeAll(keepingCapacity: true)
  }

  private mutating func emit(_ key: Key) {
    var key = key
    if hasAlt { key.modifiers.insert(.alt) }
    inputs.append(.key(key))
  }

  // MARK: Bytes

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: takeGround(byte)
    case .character(let bytesLeft): takeCharacter(byte, bytesLeft: bytesLeft)
    case .escape: takeEscape(byte)
    case .doubleEscape: takeDoubleEscape(byte)
    case .control: takeControl(byte)
    case .consoleFunction: takeConsoleFunction(byte)
    case .oldMouse: takeOldMouse(byte)
    case .application: takeApplication(byte)
    case .string: takeString(byte)
    case .stringEscape: takeStringEscape(byte)
    case .paste: takePaste(byte)
    }
  }

  private mutating func takeGround(_ byte: UInt8) {
    switch byte {
    case 0x1B:
      state = .escape
    case 0x00...0x7F:
      emit(Key(ascii: byte))
      hasAlt = false
    case 0xC2...0xF4:
      sequence.append(byte)
      state = .character(bytesLeft: byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3)
    default:
      hasAlt = false
    }
  }

  /// Drops what was begun, and takes a byte that cannot belong to it.
  private mutating func breakOff(at byte: UInt8) {
    reset()
    takeGround(byte)
  }

  private mutating func takeCharacter(_ byte: UInt8, bytesLeft: Int) {
    guard byte & 0xC0 == 0x80 else { return breakOff(at: byte) }
    sequence.append(byte)
    guard bytesLeft == 1 else {
      state = .character(bytesLeft: bytesLeft - 1)
      return
    }
    let scalars = String(decoding: sequence, as: UTF8.self).unicodeScalars
    if scalars.count == 1, let scalar = scalars.first, scalar != "\u{FFFD}",
      scalar.properties.generalCategory != .control
    {
      emit(.character(Character(scalar)))
    }
    reset()
  }

  private mutating func takeEscape(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .doubleEscape
    case UInt8(ascii: "["): state = .control
    case UInt8(ascii: "O"): state = .application
    case UInt8(ascii: "]"), UInt8(ascii: "P"), UInt8(ascii: "X"), UInt8(ascii: "^"),
      UInt8(ascii: "_"):
      state = .string(introducer: byte)
    default:
      state = .ground
      hasAlt = true
      takeGround(byte)
    }
  }

  private mutating func takeDoubleEscape(_ byte: UInt8) {
    switch byte {
    case 0x1B:
      emit(.escape)
    case UInt8(ascii: "["), UInt8(ascii: "O"):
      hasAlt = true
      takeEscape(byte)
    default:
      emit(.escape)
      takeEscape(byte)
    }
  }

  private mutating func takeControl(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "$") where isNumber:
      // rxvt ends a key with Shift so; elsewhere it stands inside a terminal's reply.
      finishControl(byte)
    case 0x20...0x3F:
      // One byte too many is kept as well, to tell that the sequence is too long.
      if sequence.count <= Self.sequenceLimit { sequence.append(byte) }
    case UInt8(ascii: "[") where sequence.isEmpty:
      state = .consoleFunction
    case UInt8(ascii: "M") where sequence.isEmpty:
      state = .oldMouse
    case 0x40...0x7E:
      finishControl(byte)
    default:
      breakOff(at: byte)
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

  private mutating func takeConsoleFunction(_ byte: UInt8) {
    guard (0x20...0x7E).contains(byte) else { return breakOff(at: byte) }
    if (UInt8(ascii: "A")...UInt8(ascii: "E")).contains(byte) {
      emit(Key(.function(Int(byte - UInt8(ascii: "A")) + 1)))
    }
    reset()
  }

  private mutating func takeOldMouse(_ byte: UInt8) {
    guard byte >= 0x20 else { return breakOff(at: byte) }
    sequence.append(byte)
    guard sequence.count == 3 else { return }
    let values = sequence.map { Int($0) - 0x20 }
    if let event = MouseEvent(report: values[0], x: values[1], y: values[2], isRelease: false) {
      inputs.append(.mouse(event))
    }
    reset()
  }

  private mutating func takeApplication(_ byte: UInt8) {
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
    default:
      breakOff(at: byte)
    }
  }

  private mutating func takeString(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .stringEscape
    case 0x07, 0x18, 0x1A: reset()
    // No reply holds these: somebody is typing, and Ctrl-C must get through.
    case 0x00..<0x20: breakOff(at: byte)
    // One byte is kept, to tell a string from Alt with its first character.
    default: if sequence.isEmpty { sequence.append(byte) }
    }
  }

  private mutating func takeStringEscape(_ byte: UInt8) {
    reset()
    switch byte {
    case UInt8(ascii: "\\"): break
    case 0x1B: state = .escape
    default: takeEscape(byte)
    }
  }

  private mutating func takePaste(_ byte: UInt8) {
    guard let text = paste.take(byte) else { return }
    inputs.append(.paste(text))
    reset()
  }
}

extension Key {
  /// The key of a byte below 0x80, other than `ESC`.
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
