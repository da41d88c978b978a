import CursesTerminal
import TerminalCore
import Testing

/// All tests that open a terminal, run one after the other because a process has only one.
@Suite(.serialized, .timeLimit(.minutes(20))) @MainActor
enum TerminalSuite {}

/// An open terminal with its events and its screen.
@MainActor
final class Session {
  let pty: Pty
  private(set) var events: [CursesTerminal.Event] = []
  private(set) var inputs: [TerminalInput] = []
  /// The numbers of inputs that had arrived when the first of them was handled.
  private(set) var arrivals: [Int] = []
  /// Handles inputs, as ``CursesTerminal`` calls it.
  var handle: (ArraySlice<TerminalInput>) -> Int? = { $0.count }
  private(set) var screen: VirtualScreen
  private var opened: CursesTerminal?

  init(_ size: Size = Size(width: 80, height: 24), type: String = "xterm-256color") throws {
    pty = try Pty(size)
    screen = VirtualScreen(size)
    try open(pty.options(type))
  }

  init(
    _ pty: Pty, _ options: CursesTerminal.Options, size: Size = Size(width: 80, height: 24)
  ) throws {
    self.pty = pty
    screen = VirtualScreen(size)
    try open(options)
  }

  private func open(_ options: CursesTerminal.Options) throws {
    opened = try CursesTerminal(
      options, onInput: { [weak self] in self?.receive($0) },
      onEvent: { [weak self] in self?.events.append($0) })
  }

  private func receive(_ inputs: ArraySlice<TerminalInput>) -> Int? {
    arrivals.append(inputs.count)
    let count = handle(inputs)
    self.inputs += inputs.prefix(count ?? 0)
    return count
  }

  deinit {
    MainActor.assumeIsolated { opened?.close() }
  }

  var terminal: CursesTerminal {
    get throws { try #require(opened) }
  }

  /// Waits until all bytes have arrived: it rings the bell after them and waits for that.
  func drainOutput() async throws {
    pty.clear()
    try terminal.ring()
    try await eventually {
      pty.read()
      return pty.output.last == 0x07
    }
    screen.feed(pty.output)
  }

  func present(_ canvas: Canvas) async throws {
    try terminal.present(canvas)
    try await drainOutput()
  }

  func startScreen(_ size: Size) {
    screen = VirtualScreen(size)
  }

  func clearEvents() {
    events = []
  }
}

/// A random number generator with a seed (xorshift).
struct Seeded: RandomNumberGenerator {
  private var state: UInt64

  init(_ seed: Int) {
    state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
  }

  mutating func next() -> UInt64 {
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return state
  }
}

extension Canvas {
  /// Returns a canvas with random contents.
  static func random(_ size: Size, using random: inout some RandomNumberGenerator) -> Canvas {
    var canvas = Canvas(size)
    canvas.drawRandomly(using: &random)
    return canvas
  }

  mutating func drawRandomly(using random: inout some RandomNumberGenerator) {
    let words = [
      "tea", " ", "        ", "─────", "█████▌", "日本語", "⏰", "e\u{301}a\u{308}\u{323}", "⣿⣀", "한",
      "▶ running", "aaaaaaaaaaaaaaaaaaaaaaaa", "\u{1B}[2J", "👨‍👩‍👧",
    ]
    func color() -> Color {
      Bool.random(using: &random) ? .standard : .indexed(.random(in: 0...255, using: &random))
    }
    for _ in 0..<Int.random(in: 0...size.height * 2, using: &random) {
      let style =
        Bool.random(using: &random)
        ? Style.plain
        : Style(color(), on: color(), .init(rawValue: .random(in: 0..<64, using: &random)))
      let x = Int.random(in: -3...size.width, using: &random)
      let y = Int.random(in: 0..<max(1, size.height), using: &random)
      if Int.random(in: 0..<5, using: &random) == 0 {
        fill(
          Rect(x: x, y: y, width: .random(in: 0...size.width, using: &random), height: 2),
          style: style)
      } else {
        write(words.randomElement(using: &random) ?? "", x: x, y: y, style: style)
      }
    }
    cursor =
      Bool.random(using: &random)
      ? nil : Point(x: .random(in: 0...size.width, using: &random), y: size.height / 2)
  }
}
