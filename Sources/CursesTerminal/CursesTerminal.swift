import CNCurses
import Dispatch
public import TerminalCore

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// A real terminal: shows canvases, and says what is typed.
///
/// There is one at a time in a process. Everything happens on the main queue. From `init` to
/// ``close()`` the terminal is this program's: keys arrive one by one, the alternate screen is on
/// from the first ``present(_:)``, and what is printed to a standard error that is the terminal
/// waits until the end. However the program ends, SIGKILL aside, the terminal is put back.
@MainActor
public final class CursesTerminal {
  public enum Event: Sendable {
    case input(TerminalInput)
    /// The screen has another size; ``size`` says it too. What it shows is to be presented anew.
    case resized(Size)
    /// The terminal is gone, and nothing more can be shown or read.
    case closed
    /// INT, TERM or HUP came from outside: save, then ``die(of:)``.
    case signal(Int32)
    /// The program was stopped, and has the terminal again.
    case resumed
  }

  public private(set) var size: Size
  public let capabilities: Capabilities

  private enum State {
    /// This program has the terminal.
    case attached
    /// It was stopped, or runs in the background: another job has the terminal.
    case detached
    case closed
  }

  private let onEvent: @MainActor (Event) -> Void
  private let modes: Modes
  private let screen: Screen
  private var state = State.attached
  private var isClosedReported = false
  private var isEntered = false
  private var input: Input?
  private var output: Output?
  private var signals: (any DispatchSourceRead)?
  /// A canvas that waits for the terminal to take the frame before it.
  private var waiting: Canvas?
  private var newest: Canvas?

  /// Opens the terminal.
  /// - Parameter onEvent: Called on the main queue, never before `init` has returned.
  public init(
    _ options: Options, onEvent: @escaping @MainActor (Event) -> Void
  ) throws(TerminalError) {
    guard isatty(options.input) == 1 else {
      throw .notATerminal(stream: "standard input")
    }
    guard isatty(options.output) == 1 else {
      throw .notATerminal(stream: "standard output")
    }
    guard let type = options.terminalType, !type.isEmpty else { throw .noTerminalType }
    guard cn_tty_remember(options.input, options.output, options.error) else {
      throw .system(call: "tcgetattr", errno: errno)
    }
    let isUTF8 = cn_set_locale(options.locale)
    switch cn_screen_open(type, options.usesColor) {
    case CN_SCREEN_UNKNOWN_TYPE: throw .unknownTerminalType(type)
    case CN_SCREEN_CANNOT_MOVE_CURSOR: throw .incapableTerminalType(type)
    case CN_SCREEN_NO_MEMORY: throw .system(call: "memfd_create", errno: errno)
    default: break
    }
    self.onEvent = onEvent
    screen = Screen(isUTF8: isUTF8)
    modes = Modes(isXtermLike: cn_screen_has_mouse(), usesMouse: options.usesMouse)
    capabilities = Capabilities(
      colors: screen.palette.colors, isUTF8: isUTF8, hasMouse: modes.hasMouse)
    size = Size(width: 80, height: 24)
    readSize()
    guard cn_tty_enter() else {
      let error = errno
      cn_screen_close()
      throw .system(call: "tcsetattr", errno: error)
    }
    startSignals()
    input = Input(
      descriptor: cn_tty_reopen(options.input, false),
      onInput: { [weak self] in self?.report(.input($0)) },
      onClosed: { [weak self] in self?.reportClosed() })
    output = Output(
      descriptor: cn_tty_reopen(options.output, true),
      onDrained: { [weak self] in self?.presentWaiting() },
      onClosed: { [weak self] in self?.reportClosed() })
  }

  /// Shows a canvas. What has not changed since the last one is not sent; where nothing has, no
  /// byte is. A canvas of another size than ``size`` is cut or filled up with blanks.
  public func present(_ canvas: Canvas) {
    newest = canvas
    guard state == .attached, let output else { return }
    guard !output.isBusy else {
      waiting = canvas
      return
    }
    let isEntering = !isEntered
    guard screen.draw(canvas) || isEntering else { return }
    cn_screen_update()
    var length = 0
    guard let bytes = cn_screen_take(&length), length > 0 else { return }
    let frame = UnsafeBufferPointer(start: bytes, count: length)
    if isEntering {
      isEntered = true
      cn_tty_screen_entered()
    }
    output.write(modes.framed(frame, isEntering: isEntering))
  }

  /// Repaints everything, for when something else has written on the screen (Ctrl-L).
  public func redraw() {
    cn_screen_invalidate()
    screen.forget()
    if let newest { present(newest) }
  }

  /// Sounds the bell.
  public func ring() {
    guard state == .attached else { return }
    output?.write([0x07])
  }

  /// Stops the program, as Ctrl-Z does elsewhere, and returns when it is continued.
  public func suspend() {
    guard state == .attached else { return }
    detach()
    cn_signals_stop()
    attach()
  }

  /// Puts the terminal back as it was found. Calling it again does nothing.
  public func close() {
    guard state != .closed else { return }
    leaveScreen()
    state = .closed
    input?.close()
    output?.close()
    signals?.cancel()
    cn_signals_unwatch()
    cn_screen_close()
  }

  /// Closes the terminal and ends the process by a signal.
  public func die(of signal: Int32) -> Never {
    close()
    cn_signals_die(signal)
  }

  // MARK: Having the terminal, or not

  private func leaveScreen() {
    output?.discard()
    waiting = nil
    cn_tty_restore()
    isEntered = false
  }

  private func detach() {
    state = .detached
    input?.pause()
    leaveScreen()
    cn_screen_leave()
  }

  private func attach() {
    // Continued in the background: the terminal comes with the next SIGCONT.
    guard state == .detached, cn_tty_is_foreground(), cn_tty_enter() else { return }
    state = .attached
    input?.resume()
    readSize()
    screen.forget()
    onEvent(.resumed)
    if let newest { present(newest) }
  }

  private func continued() {
    switch state {
    case .detached:
      attach()
    case .attached where cn_tty_is_foreground():
      // Stopped by SIGSTOP, which nobody sees coming: whoever ran meanwhile may have changed all.
      _ = cn_tty_enter()
      output?.write(modes.on)
      readSize()
      redraw()
    case .attached:
      detach()
    case .closed:
      break
    }
  }

  private func readSize() {
    var rows: Int32 = 24
    var columns: Int32 = 80
    _ = cn_tty_size(&rows, &columns)
    size = Size(width: min(Int(columns), 1000), height: min(Int(rows), 500))
    cn_screen_resize(Int32(size.height), Int32(size.width))
    cn_screen_invalidate()
    screen.forget()
    var bytes = [UInt8](repeating: 0, count: 256)
    let length = cn_screen_leave_bytes(Int32(size.height), &bytes, bytes.count)
    let leave = modes.off + bytes[..<length]
    cn_tty_set_leave_bytes(leave, leave.count)
  }

  private func presentWaiting() {
    guard let canvas = waiting else { return }
    waiting = nil
    present(canvas)
  }

  // MARK: Events

  private func report(_ event: Event) {
    if state != .closed { onEvent(event) }
  }

  private func reportClosed() {
    guard !isClosedReported else { return }
    isClosedReported = true
    report(.closed)
  }

  private func startSignals() {
    let watched = [SIGINT, SIGTERM, SIGHUP, SIGWINCH, SIGTSTP, SIGCONT]
    let descriptor = cn_signals_watch(watched, watched.count)
    guard descriptor >= 0 else { return }
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setEventHandler { [weak self] in self?.readSignals(from: descriptor) }
    source.setCancelHandler { systemClose(descriptor) }
    signals = source
    source.activate()
  }

  private func readSignals(from descriptor: Int32) {
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = systemRead(descriptor, &bytes, bytes.count)
    guard count > 0 else { return }
    for signal in bytes[..<count].map(Int32.init) {
      switch signal {
      case SIGWINCH: resized()
      case SIGTSTP: suspend()
      case SIGCONT: continued()
      default: report(.signal(signal))
      }
    }
  }

  private func resized() {
    let before = size
    readSize()
    if size != before { report(.resized(size)) }
  }
}
