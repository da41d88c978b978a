/// What is switched on beyond curses, by escape sequences of our own, where a terminal knows them.
struct Modes {
  let hasMouse: Bool
  /// Switches on bracketed paste, focus reports and, if wanted, the mouse.
  let on: [UInt8]
  let off: [UInt8]
  /// Whether it knows sequences of xterm's, or at least does not show them.
  let isXtermLike: Bool

  init(isXtermLike: Bool, usesMouse: Bool) {
    hasMouse = isXtermLike && usesMouse
    self.isXtermLike = isXtermLike
    guard isXtermLike else {
      on = []
      off = []
      return
    }
    let mouse = usesMouse ? ["1000", "1006"] : []
    let modes = ["2004", "1004"] + mouse
    on = Array(modes.map { "\u{1B}[?\($0)h" }.joined().utf8)
    off = Array(
      (["2026"] + modes.reversed()).map { "\u{1B}[?\($0)l" }.joined().utf8)
  }

  private static let synchronizedBegin = Array("\u{1B}[?2026h".utf8)
  private static let synchronizedEnd = Array("\u{1B}[?2026l".utf8)

  /// A frame as it is sent. A small one arrives whole anyway; a larger one, which a terminal may
  /// read in pieces, is bracketed so that it shows at once.
  func framed(_ frame: UnsafeBufferPointer<UInt8>, isEntering: Bool) -> [UInt8] {
    let isBracketed = isXtermLike && frame.count > 1024
    var bytes: [UInt8] = []
    bytes.reserveCapacity(frame.count + 64)
    if isBracketed { bytes += Self.synchronizedBegin }
    bytes += frame
    if isBracketed { bytes += Self.synchronizedEnd }
    if isEntering { bytes += on }
    return bytes
  }
}
