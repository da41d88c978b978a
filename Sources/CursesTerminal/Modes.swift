import TerminalCore

/// The terminal modes that curses does not set, and their escape sequences.
struct Modes {
  let hasMouse: Bool
  /// The bytes that enable bracketed paste, focus reports and, if requested, the mouse.
  let on: [UInt8]
  /// The bytes that disable them.
  let off: [UInt8]
  /// A Boolean value that indicates whether xterm's sequences can be sent: the terminal supports
  /// them, or ignores those that it does not support.
  let isXtermLike: Bool
  /// A Boolean value that indicates whether the title of the window can be set and restored.
  let hasTitle: Bool

  init(isXtermLike: Bool, usesMouse: Bool, hasTitle: Bool = false) {
    self.hasTitle = isXtermLike && hasTitle
    hasMouse = isXtermLike && usesMouse
    self.isXtermLike = isXtermLike
    let modes = isXtermLike ? ["2004", "1004"] + (usesMouse ? ["1000", "1006"] : []) : []
    on =
      Array(modes.map { "\u{1B}[?\($0)h" }.joined().utf8)
      + (self.hasTitle ? Array("\u{1B}[22;2t".utf8) : [])
    // A terminal that has not saved its title shows none.
    off =
      (isXtermLike ? Self.synchronizedEnd : [])
      + Array(modes.reversed().map { "\u{1B}[?\($0)l" }.joined().utf8)
      + (self.hasTitle ? Self.title("") + Array("\u{1B}[23;2t".utf8) : [])
  }

  /// Returns the bytes that set the title of the window. The text adds no control characters.
  ///
  /// It is xterm's sequence for the title alone, because terminfo often has the one that also sets the icon's name,
  /// which would not be restored. It does not end with BEL, so that no terminal can ring.
  static func title(_ text: String) -> [UInt8] {
    Array("\u{1B}]2;\(text.plainLine(maxBytes: 80))\u{1B}\\".utf8)
  }

  private static let synchronizedBegin = Array("\u{1B}[?2026h".utf8)
  private static let synchronizedEnd = Array("\u{1B}[?2026l".utf8)

  /// Returns the bytes of a frame as they are sent. A large frame, which a terminal may read in
  /// pieces, is enclosed in a synchronized update, so that it is drawn at once.
  func framed(_ frame: UnsafeBufferPointer<UInt8>, isEntering: Bool) -> [UInt8] {
    let isSynchronized = isXtermLike && frame.count > 1024
    let (begin, end) = isSynchronized ? (Self.synchronizedBegin, Self.synchronizedEnd) : ([], [])
    return begin + frame + end + (isEntering ? on : [])
  }
}
