/// Parses the bytes of a terminal, in pieces of any size, into keys, pastes, mouse and focus
/// events.
///
/// It is a state machine without a clock. While ``pendingTimeout`` is not `nil`, the bytes so far
/// are either a complete key or the start of a longer sequence: a single `ESC` is the Escape key or
/// the first byte of an arrow key. If no byte follows within that time, call ``timeout()``. Unknown
/// sequences, such as a terminal's replies, and bytes that are not UTF-8 are dropped and never
/// appear as typed characters.
public struct KeyParser: Sendable {
  enum State: Hashable {
    /// Between two keys.
    case ground
    /// Inside a character of several bytes.
    case character
    /// After `ESC`.
    case escape
    /// After `ESC ESC`: two Escape keys, or Alt with a sequence.
    case doubleEscape
    /// After `ESC [`.
    case controlSequence
    /// After `ESC [ [`: a function key of the Linux console.
    case consoleFunction
    /// After `ESC [ M`: in the three bytes of an old mouse report.
    case oldMouse
    /// After `ESC O`.
    case singleShift
    /// Inside a string of a terminal's reply, after `ESC ]` or a similar introducer; it ends with
    /// BEL or `ESC \`.
    case string(introducer: UInt8)
    /// After `ESC` inside a string.
    case stringEscape
    /// Inside a bracketed paste.
    case paste
  }

  /// The maximum length of a sequence's parameters; no known sequence is longer.
  static let sequenceLimit = 64

  var state = State.ground
  /// A Boolean value that indicates whether an `ESC` before the current key adds Alt to it.
  var hasAlt = false
  /// The bytes of the current character, parameters or old mouse report.
  var sequence: [UInt8] = []
  var paste = PasteCollector()
  var inputs: [TerminalInput] = []

  public init() {}

  /// A Boolean value that indicates whether the parser holds bytes of an incomplete input.
  public var isWaiting: Bool { state != .ground }

  /// The time to wait for the next byte before calling ``timeout()``; `nil` if no bytes are held.
  ///
  /// It is 25 ms where the bytes may be a key, such as Escape, and longer inside a sequence: on a
  /// slow connection the rest of a sequence or paste must not turn into typed characters.
  public var pendingTimeout: Duration? {
    switch state {
    case .ground: nil
    case .escape, .doubleEscape: .milliseconds(25)
    case .controlSequence, .singleShift, .string: .milliseconds(sequence.isEmpty ? 25 : 250)
    case .character, .consoleFunction, .oldMouse, .stringEscape: .milliseconds(250)
    case .paste: .seconds(1)
    }
  }

  /// Parses more bytes.
  /// - Returns: The inputs that are complete.
  public mutating func feed(_ bytes: some Sequence<UInt8>) -> [TerminalInput] {
    defer { inputs = [] }
    for byte in bytes { handle(byte) }
    return inputs
  }

  /// Ends the wait for more bytes.
  /// - Returns: The inputs that the held bytes stand for.
  public mutating func timeout() -> [TerminalInput] {
    defer { inputs = [] }
    switch state {
    case .escape: emit(.escape)
    case .doubleEscape:
      emit(.escape)
      emit(.escape)
    case .controlSequence where sequence.isEmpty: emit(Key(.character("["), .alt))
    case .singleShift where sequence.isEmpty: emit(Key(.character("O"), .alt))
    case .string(let introducer) where sequence.isEmpty:
      emit(Key(.character(Character(Unicode.Scalar(introducer))), .alt))
    case .paste: inputs.append(.paste(paste.finish()))
    default: break
    }
    reset()
    return inputs
  }

  /// Drops the held bytes.
  mutating func reset() {
    state = .ground
    hasAlt = false
    sequence.removeAll(keepingCapacity: true)
  }

  mutating func emit(_ key: Key) {
    var key = key
    if hasAlt { key.modifiers.insert(.alt) }
    inputs.append(.key(key))
  }
}
