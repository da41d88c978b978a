/// Turns a terminal's bytes into keys, pastes, mouse and focus events, however the bytes are cut.
///
/// A pure state machine: whoever feeds it also keeps the time. While ``pendingTimeout`` says so,
/// the bytes so far may be a whole key or the start of a longer sequence (a lone `ESC` is the
/// Escape key, or the first byte of an arrow); if nothing follows within that time, ``timeout()``
/// decides. Sequences that mean nothing here, a terminal's replies among them, vanish whole and
/// never show up as typed characters.
public struct KeyParser: Sendable {
  private enum State: Hashable {
    case ground
    /// Inside a character of several UTF-8 bytes.
    case character
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
    /// Inside a string that a terminal replies with; it ends with BEL or `ESC \`.
    case string
    case stringEscape
    case paste
  }

  /// The most bytes a paste keeps; what comes after is dropped.
  public static let pasteLimit = 65_536
  private static let sequenceLimit = 64
  private static let pasteEnd: [UInt8] = [0x1B, 0x5B, 0x32, 0x30, 0x31, 0x7E]

  private var state = State.ground
  private var hasAlt = false
  /// The bytes after `ESC [` or `ESC O`, of a character, or of an old mouse report.
  private var sequence: [UInt8] = []
  private var isOverlong = false
  private var charactersLeft = 0
  private var pasted: [UInt8] = []
  private var pasteEndMatched = 0
  private var input: [TerminalInput] = []

  public init() {}

  /// Whether bytes are held back that what follows, or ``timeout()``, will decide.
  public var isWaiting: Bool { state != .ground }

  /// How long to wait for the next byte before calling ``timeout()``; `nil` when nothing is held.
  ///
  /// 25 ms where a key of its own may stand, such as Escape. More where only a sequence can: what
  /// is late on a slow line must not turn into typed characters.
  public var pendingTimeout: Duration? {
    switch state {
    case .ground: nil
    case .escape, .doubleEscape, .character: .milliseconds(25)
    case .control, .application: sequence.isEmpty ? .milliseconds(25) : .milliseconds(250)
    case .string: sequence.isEmpty ? .milliseconds(25) : .milliseconds(250)
    case .consoleFunction, .oldMouse, .stringEscape: .milliseconds(250)
    case .paste: .seconds(1)
    }
  }

  /// Takes bytes in pieces of any size, and says what they complete.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
    for byte in bytes { take(byte) }
    return takeInput()
  }

  /// Decides about what is held back, since nothing followed it in time.
  public mutating func timeout() -> [TerminalInput] {
    switch state {
    case .ground, .character, .consoleFunction, .oldMouse, .stringEscape:
      break
    case .escape:
      emit(Key(.escape))
    case .doubleEscape:
      emit(Key(.escape))
      emit(Key(.escape))
    case .control where sequence.isEmpty:
      emit(Key(.character("["), .alt))
    case .application where sequence.isEmpty:
      emit(Key(.character("O"), .alt))
    case .control, .application:
      break
    case .string:
      if sequence.isEmpty { emit(Key(.character(Character(stringIntroducer)), .alt)) }
    case .paste:
      finishPaste()
    }
    reset()
    return takeInput()
  }

  private var stringIntroducer = Unicode.Scalar(0x5D as UInt8)

  private mutating func takeInput() -> [TerminalInput] {
    defer { input = [] }
    return input
  }

  private mutating func reset() {
    state = .ground
    hasAlt = false
    sequence.removeAll(keepingCapacity: true)
    isOverlong = false
  }

  private mutating func emit(_ key: Key) {
    var key = key
    if hasAlt { key.modifiers.insert(.alt) }
    input.append(.key(key))
  }
}

// MARK: - Bytes

extension KeyParser {
  private mutating func take(_ byte: UInt8) {
    switch state {
    case .ground: takeGround(byte)
    case .character: takeCharacter(byte)
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
      emit(Self.key(ofASCII: byte))
      hasAlt = false
    case 0xC2...0xDF: startCharacter(byte, following: 1)
    case 0xE0...0xEF: startCharacter(byte, following: 2)
    case 0xF0...0xF4: startCharacter(byte, following: 3)
    default:
      // No character begins so; there is nothing a key could be made of.
      hasAlt = false
    }
  }

  private mutating func startCharacter(_ byte: UInt8, following count: Int) {
    state = .character
    sequence.append(byte)
    charactersLeft = count
  }

  private mutating func takeCharacter(_ byte: UInt8) {
    guard byte & 0xC0 == 0x80 else {
      reset()
      return takeGround(byte)
    }
    sequence.append(byte)
    charactersLeft -= 1
    guard charactersLeft == 0 else { return }
    let scalars = String(decoding: sequence, as: UTF8.self).unicodeScalars
    if scalars.count == 1, let scalar = scalars.first, !scalar.isControl, scalar != "\u{FFFD}" {
      emit(.character(Character(scalar)))
    }
    reset()
  }

  private mutating func takeEscape(_ byte: UInt8) {
    switch byte {
    case 0x1B: state = .doubleEscape
    case 0x5B: state = .control  // [
    case 0x4F: state = .application  // O
    case 0x5D, 0x50, 0x58, 0x5E, 0x5F:  // ] P X ^ _
      state = .string
      stringIntroducer = Unicode.Scalar(byte)
    default:
      state = .ground
      hasAlt = true
      takeGround(byte)
    }
  }

  private mutating func takeDoubleEscape(_ byte: UInt8) {
    switch byte {
    case 0x1B:
      emit(Key(.escape))
    case 0x5B, 0x4F:
      hasAlt = true
      takeEscape(byte)
    default:
      emit(Key(.escape))
      takeEscape(byte)
    }
  }

  private mutating func takeControl(_ byte: UInt8) {
    switch byte {
    case 0x20...0x3F where byte != 0x24 || !isPlainNumber:
      if sequence.count < Self.sequenceLimit { sequence.append(byte) } else { isOverlong = true }
    case 0x24, 0x40...0x7E:
      finishControl(byte)
    default:
      // Whatever it was is broken off here.
      reset()
      takeGround(byte)
    }
  }

  /// rxvt ends a key with Shift by `$`, which elsewhere stands inside a reply of a terminal.
  private var isPlainNumber: Bool {
    !sequence.isEmpty && sequence.allSatisfy { (0x30...0x39).contains($0) }
  }

  private mutating func finishControl(_ final: UInt8) {
    if sequence.isEmpty, final == 0x5B {
      state = .consoleFunction
      return
    }
    if sequence.isEmpty, final == 0x4D {
      state = .oldMouse
      return
    }
    let parameters = sequence
    let alt = hasAlt
    let dropped = isOverlong
    reset()
    guard !dropped else { return }
    let control = ControlSequence(parameters: parameters, final: final)
    if control.isPasteStart {
      state = .paste
    } else if var event = control.input {
      if alt, case .key(var key) = event {
        key.modifiers.insert(.alt)
        event = .key(key)
      }
      input.append(event)
    }
  }

  private mutating func takeConsoleFunction(_ byte: UInt8) {
    if (0x41...0x45).contains(byte) { emit(Key(.function(Int(byte) - 0x40))) }
    reset()
    if byte < 0x20 || byte > 0x7E { takeGround(byte) }
  }

  private mutating func takeOldMouse(_ byte: UInt8) {
    guard byte >= 0x20 else {
      reset()
      return takeGround(byte)
    }
    sequence.append(byte)
    guard sequence.count == 3 else { return }
    let values = sequence.map { Int($0) - 32 }
    if let event = MouseEvent(report: values[0], x: values[1], y: values[2], isRelease: false) {
      input.append(.mouse(event))
    }
    reset()
  }

  private mutating func takeApplication(_ byte: UInt8) {
    switch byte {
    case 0x30...0x3B:
      if sequence.count < Self.sequenceLimit { sequence.append(byte) } else { isOverlong = true }
    case 0x20...0x7E:
      if !isOverlong, let key = ControlSequence(parameters: sequence, final: byte).applicationKey {
        emit(key)
      }
      reset()
    default:
      reset()
      takeGround(byte)
    }
  }

  private mutating func takeString(_ byte: UInt8) {
    switch byte {
    case 0x1B:
      state = .stringEscape
    case 0x07, 0x18, 0x1A:
      reset()
    default:
      // One byte is kept, to tell a string from Alt with its first character.
      if sequence.isEmpty { sequence.append(byte) }
    }
  }

  private mutating func takeStringEscape(_ byte: UInt8) {
    reset()
    if byte != 0x5C { takeEscape(byte) }
  }

  private mutating func takePaste(_ byte: UInt8) {
    if byte == Self.pasteEnd[pasteEndMatched] {
      pasteEndMatched += 1
      if pasteEndMatched == Self.pasteEnd.count {
        pasteEndMatched = 0
        finishPaste()
      }
      return
    }
    let matched = pasteEndMatched
    pasteEndMatched = 0
    for index in 0..<matched { keepPasted(Self.pasteEnd[index]) }
    if byte == Self.pasteEnd[0] { pasteEndMatched = 1 } else { keepPasted(byte) }
  }

  private mutating func keepPasted(_ byte: UInt8) {
    if pasted.count < Self.pasteLimit { pasted.append(byte) }
  }

  private mutating func finishPaste() {
    if pasted.count == Self.pasteLimit {
      // The cut may stand inside a character.
      while let last = pasted.last, last & 0xC0 == 0x80 { pasted.removeLast() }
      if let last = pasted.last, last >= 0xC0 { pasted.removeLast() }
    }
    input.append(.paste(String(decoding: pasted, as: UTF8.self)))
    pasted = []
    reset()
  }

  /// The key of a byte below 0x80, other than `ESC`.
  static func key(ofASCII byte: UInt8) -> Key {
    switch byte {
    case 0x08, 0x7F: return Key(.backspace)
    case 0x09: return Key(.tab)
    case 0x0A, 0x0D: return Key(.enter)
    case 0x00: return .control(" ")
    case 0x01...0x1A: return .control(Character(Unicode.Scalar(byte + 0x60)))
    case 0x1B...0x1F: return .control(Character(Unicode.Scalar(byte + 0x40)))
    default: return .character(Character(Unicode.Scalar(byte)))
    }
  }
}

extension Unicode.Scalar {
  var isControl: Bool { value < 0x20 || (0x7F...0x9F).contains(value) }
}
