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
