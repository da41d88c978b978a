import CNCurses
import Platform
public import TerminalCore

/// A terminal that draws canvases and reports input.
///
/// A process has at most one at a time, and everything happens on the main queue. From `init` to
/// ``close()`` keys arrive one by one, Ctrl-C, Ctrl-Z and Ctrl-\ included, the alternate screen is
/// on from the first ``present(_:)``, and output to a standard error that is the terminal is held
/// back until the end. The terminal's state is restored on every way out except SIGKILL: `exit`,
/// traps and unhandled signals included.
@MainActor
public final class CursesTerminal {
  public enum Event: Hashable, Sendable {
    // Its module is named because Apple's MacTypes.h has a type `Size` too.
    /// The size of the screen has changed, and ``size`` with it. Present a canvas again.
    case resized(TerminalCore.Size)
    /// The terminal is closed: nothing more can be drawn or read.
    case closed
    /// SIGINT, SIGTERM or SIGHUP has arrived: save, then call ``exit(bySignal:)``.
    case signal(Int32)
    /// The program was stopped and has the terminal again. Present a canvas again; ``size`` may
    /// have changed.
    case resumed
  }

  /// The size of the screen, at most 1000 × 500.
  public private(set) var size = TerminalCore.Size(width: 0, height: 0)
  /// A Boolean value that indicates whether the terminal gets more than ASCII. If not,
  /// box-drawing and other characters are drawn as the nearest ASCII characters.
  public let isUTF8: Bool
  /// The number of colors: 0, 8, 16, 256 or 16,777,216. Other colors are drawn as the nearest of them.
  public var colors: Int { screen.palette.colors }
  /// A Boolean value that indicates whether the mouse is reported.
  public var hasMouse: Bool { modes.hasMouse }

  private enum State {
    case attached
    /// The program is stopped or in the background, and another job has the terminal.
    case detached
    case closed
  }

  /// The terminal type that terminfo does not have, and the one that is used in its place; `nil` if it has the type.
  public private(set) var substitution: (type: String, substitute: String)?

  private let onEvent: @MainActor (Event) -> Void
  private let modes: Modes
  private let screen: Screen
  private var state = State.attached
  /// A Boolean value that indicates whether the alternate screen is on.
  private var isEntered = false
  /// The newest canvas. It is sent at once unless the terminal is still reading the previous frame.
  private var newest: Canvas?
  /// The bytes of the newest title, and those that were sent since the screen was entered.
  private var (title, sentTitle): ([UInt8], [UInt8]) = ([], [])
  /// A Boolean value that indicates whether ``Event/closed`` has been reported.
  private var isGone = false
  /// A Boolean value that indicates whether a signal that ends the program has been reported.
  private var isEnding = false
  private var input: Input?
  private var output: Output?
  /// The writer, if the terminal is attached and has read all earlier frames.
  private var idleOutput: Output? { state == .attached && output?.isBusy == false ? output : nil }
  private var signals: Signals?

  /// Opens the terminal.
  /// - Parameters:
  ///   - onInput: Called with the inputs that have arrived and were not handled yet. It returns the number of those that
  ///     it has handled, at least one, or `nil` to drop them and the rest of what has been sent with them, such as a paste.
  ///   - onEvent: Called with other events. Both are called on the main queue, never before `init` has returned.
  public init(
    _ options: Options, onInput: @escaping @MainActor (ArraySlice<TerminalInput>) -> Int?,
    onEvent: @escaping @MainActor (Event) -> Void
  ) throws(TerminalError) {
    var options = options
    let type = try options.checkedTerminalType()
    self.onEvent = onEvent
    isUTF8 = cn_set_locale(options.locale)
    let isExact: Bool
    do {
      isExact = try Self.openScreen(options, type: type)
    } catch {
      guard case .unknownTerminalType = error, let substitute = options.substitute,
        let known = substitute.terminalType,
        let opened = try? Self.openScreen(substitute, type: known)
      else { throw error }
      isExact = opened
      options = substitute
      substitution = (type, known)
    }
    screen = Screen(isUTF8: isUTF8, ownColorCount: isExact ? 16 : 8)
    modes = Modes(
      isXtermLike: cn_screen_has_mouse(), usesMouse: options.usesMouse, hasTitle: options.hasTitle)
    guard cn_tty_open(options.input, options.output, options.error) else {
      throw failure(of: "tcgetattr")
    }
    updateSize()
    guard cn_tty_enter() else { throw failure(of: "tcsetattr") }
    signals = Signals([SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT]) { [weak self] in
      self?.receive(signal: $0)
    }
    guard signals != nil else { throw failure(of: "pipe") }
    let reopened = cn_tty_reopen(options.input, false)
    guard reopened >= 0 else { throw failure(of: "open") }
    input = Input(
      descriptor: reopened,
      onInput: { [weak self] in
        cn_signals_use_stack()
        return self?.state == .closed ? nil : onInput($0)
      },
      onClosed: { [weak self] in self?.reportGone() })
    guard input != nil else { throw failure(of: watchingSystemCall) }
    output = Output(
      descriptor: cn_tty_open_for_frames(options.output),
      onDrained: { [weak self] in self?.presentNewest() },
      onClosed: { [weak self] in self?.reportGone() })
  }

  /// - Returns: True if the screen has exact colors by an entry that is made for it.
  private static func openScreen(_ options: Options, type: String) throws(TerminalError) -> Bool {
    let usesColor = options.usesColor
    let exact = options.exactColors.flatMap { entry in
      ExactColors.withEntry(entry) { cn_screen_open(ExactColors.terminalType, usesColor) }
    }
    if exact == CN_SCREEN_OPENED { return true }
    switch cn_screen_open(type, usesColor) {
    case CN_SCREEN_OPENED: return false
    case CN_SCREEN_UNKNOWN_TYPE: throw .unknownTerminalType(type)
    case CN_SCREEN_CANNOT_MOVE_CURSOR: throw .incapableTerminalType(type)
    default: throw .system(call: "tmpfile", errno: errno)
    }
  }

  private func failure(of call: String) -> TerminalError {
    let number = errno
    cn_tty_close()
    cn_screen_close()
    return .system(call: call, errno: number)
  }

  // MARK: Drawing

  /// Draws a canvas. Sends only the changes since the previous canvas, and nothing if there are none. A canvas of another
  /// size than ``size`` is cut or filled with blanks. While the terminal does not read, only the newest canvas is kept.
  public func present(_ canvas: Canvas) {
    newest = canvas
    presentNewest()
  }

  /// Repaints the whole screen, after another program has written to it (Ctrl-L).
  public func redraw() {
    cn_screen_invalidate()
    screen.invalidate()
    presentNewest()
  }

  /// Rings the terminal's bell. While the terminal does not read, only one bell is kept.
  public func ring() {
    if state == .attached { output?.ring() }
  }

  /// Makes the terminal show a notification, if it can. Sends nothing while the terminal is busy
  /// with a frame.
  public func notify(title: String, text: String, by sequence: NotificationSequence) {
    guard modes.isXtermLike, let output = idleOutput else { return }
    output.write(sequence.bytes(title: title, text: text))
  }

  /// Sets the title of the terminal's window until the screen is left, if the terminal can restore it. While the
  /// terminal does not read, only the newest title is kept.
  public func setTitle(_ text: String) {
    guard modes.hasTitle else { return }
    // In another encoding, a character can be several control characters.
    let isSafe = { (scalar: Unicode.Scalar) in self.isUTF8 || scalar.isASCII }
    title = Modes.title(String(String.UnicodeScalarView(text.unicodeScalars.filter(isSafe))))
    sendTitle()
  }

  private func sendTitle() {
    guard isEntered, title != sentTitle, let output = idleOutput else { return }
    sentTitle = title
    output.write(title)
  }

  private func presentNewest() {
    defer { sendTitle() }
    // The main queue can move to another thread, which needs a stack for signal handlers too.
    cn_signals_use_stack()
    guard let newest, let output = idleOutput, screen.draw(newest) else { return }
    cn_screen_update()
    var length = 0
    guard let bytes = cn_screen_take(&length), length > 0 else { return }
    let frame = UnsafeBufferPointer(start: bytes, count: length)
    let isEntering = !isEntered
    if isEntering {
      isEntered = true
      cn_tty_screen_entered()
    }
    output.write(modes.framed(frame, isEntering: isEntering))
  }

  // MARK: Job control

  /// Stops the program and its job, as Ctrl-Z does in other programs. Returns when it is continued.
  public func suspend() {
    if state == .attached { detach() }
    guard state == .detached else { return }
    _ = cn_signals_stop(SIGTSTP)
    attach()
  }

  /// Restores the terminal's state. Calling it again does nothing.
  public func close() {
    guard state != .closed else { return }
    state = .closed
    output?.close()
    cn_tty_close()
    input?.close()
    signals?.close()
    cn_screen_close()
  }

  /// Closes the terminal and ends the process with a signal.
  public func exit(bySignal signal: Int32) -> Never {
    close()
    Signals.exit(by: signal)
  }

  private func detach() {
    state = .detached
    input?.pause()
    output?.discard()
    cn_tty_restore()
    cn_screen_leave()
    isEntered = false
    sentTitle = []
  }

  private func attach() {
    guard state == .detached else { return }
    guard cn_tty_is_foreground() else { return stopInBackground() }
    guard cn_tty_enter() else { return }
    state = .attached
    input?.resume()
    resized()
    screen.invalidate()
    report(.resumed)
  }

  /// Stops the program again after it was continued in the background, such as by `bg`. A shell
  /// does not notify a running job when it comes to the foreground. The stop follows after 100 ms,
  /// because `kill` continues a stopped job to deliver the signal that ends it.
  private func stopInBackground() {
    callOnMain(after: .milliseconds(100)) { [weak self] in
      guard let self, self.state == .detached, !self.isEnding else { return }
      if cn_tty_is_foreground() || cn_signals_stop(SIGTTOU) { self.attach() }
    }
  }

  /// Takes the terminal back after SIGSTOP, which cannot be handled: another program may have used it.
  private func reclaim() {
    guard cn_tty_is_foreground(), cn_tty_enter() else {
      detach()
      return stopInBackground()
    }
    if isEntered { output?.write(modes.on) }
    sentTitle = []
    resized()
    redraw()
    report(.resumed)
  }

  /// Reads the size of the terminal again.
  /// - Returns: True if it has changed.
  @discardableResult
  private func updateSize() -> Bool {
    var rows: Int32 = 24
    var columns: Int32 = 80
    _ = cn_tty_size(&rows, &columns)
    let found = TerminalCore.Size(width: min(Int(columns), 1000), height: min(Int(rows), 500))
    guard found != size else { return false }
    size = found
    screen.resize(to: size)
    var bytes = [UInt8](repeating: 0, count: 256)
    let length = cn_screen_leave_bytes(Int32(size.height), &bytes, bytes.count)
    let leave = modes.off + bytes[..<length]
    cn_tty_set_leave_bytes(leave, leave.count)
    return true
  }

  // MARK: Events

  private func report(_ event: Event) {
    cn_signals_use_stack()
    if state != .closed { onEvent(event) }
  }

  private func reportGone() {
    guard !isGone else { return }
    isGone = true
    report(.closed)
  }

  private func resized() {
    if updateSize() { report(.resized(size)) }
  }

  private func receive(signal: Int32) {
    switch (signal, state) {
    case (_, .closed): break
    case (SIGWINCH, .attached): resized()
    case (SIGWINCH, .detached): break
    case (SIGTSTP, _): suspend()
    case (SIGCONT, .attached): reclaim()
    case (SIGCONT, .detached): attach()
    default:
      isEnding = true
      report(.signal(signal))
    }
  }
}
