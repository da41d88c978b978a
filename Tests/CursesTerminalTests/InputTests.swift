import Platform
import TerminalCore
import Testing

@testable import CursesTerminal

extension TerminalSuite {
  @Suite @MainActor struct Inputs {
    @Test(
      arguments: [
        ("a", [.key(.character("a"))]),
        (
          "\u{3}\u{1A}\u{1C}\u{11}\u{13}\r",
          [
            .key(.control("c")), .key(.control("z")), .key(.control("\\")), .key(.control("q")),
            .key(.control("s")), .key(.enter),
          ]
        ),
        ("\u{1B}[A\u{1B}OB", [.key(.up), .key(.down)]),
        ("\u{1B}", [.key(.escape)]),
        ("\u{1B}[200~a\rb\u{1B}[201~", [.paste("a\rb")]),
        ("\u{1B}[<0;3;4M", [.mouse(MouseEvent(.press(button: 1), at: Point(x: 2, y: 3)))]),
        ("日\u{16}", [.key(.character("日")), .key(.control("v"))]),
      ] as [(String, [TerminalInput])])
    func typedBytesAreReported(text: String, inputs: [TerminalInput]) async throws {
      let session = try Session()
      session.pty.type(text)
      try await eventually { session.inputs.count >= inputs.count }
      #expect(session.inputs == inputs && session.events.isEmpty)
      // Nothing is echoed.
      session.pty.read()
      #expect(session.pty.output.isEmpty)
    }

    /// A paste without brackets arrives in pieces, and is handled as one.
    @Test func aBurstArrivesWhole() async throws {
      let session = try Session()
      let text = String(repeating: "tea 3m ", count: 500)
      for start in stride(from: 0, to: text.count, by: 700) {
        session.pty.type(String(text.dropFirst(start).prefix(700)))
      }
      try await eventually { session.inputs.count >= text.count }
      #expect(session.arrivals == [text.count])
      #expect(session.inputs.typedText.text == text)
      // A key is not waited for.
      session.pty.type("a")
      try await eventually { session.inputs.count > text.count }
      #expect(session.arrivals == [text.count, 1])
    }

    /// Handling goes on, in steps, while other events are handled between them.
    @Test func inputsAreHandledInSteps() async throws {
      let session = try Session()
      session.handle = { _ in
        usleep(3000)
        return 1
      }
      session.pty.type("\u{3}" + String(repeating: "j", count: 99))
      var others = 0
      try await eventually {
        if !session.inputs.isEmpty { others += 1 }
        return session.inputs.count == 100
      }
      #expect(session.arrivals == Array((1...100).reversed()))
      #expect(others > 1)
    }

    /// The rest of a paste that is refused is dropped, such as a key at its end; later keys are handled.
    @Test func theRestOfARefusedBurstIsDropped() async throws {
      let session = try Session()
      session.handle = { inputs in inputs.count > 1000 ? nil : inputs.count }
      session.pty.type(String(repeating: "z", count: 3000) + "\r")
      try await eventually { !session.arrivals.isEmpty }
      #expect(session.inputs.isEmpty)
      var attempts = 0
      try await eventually {
        // A pause ends what is dropped.
        if attempts % 100 == 99 { session.pty.type("k") }
        attempts += 1
        return session.inputs.contains(.key(.character("k")))
      }
      #expect(session.inputs.allSatisfy { $0 == .key(.character("k")) })
    }

    @Test func hangUpIsReportedOnce() async throws {
      let session = try Session()
      session.pty.hangUp()
      try await eventually { !session.events.isEmpty }
      #expect(session.events == [.closed])
      try session.terminal.present(Canvas(Size(width: 80, height: 24)))
      session.clearEvents()
      try session.terminal.close()
      #expect(session.events.isEmpty)
    }

    @Test func newSizeIsReportedAndDrawn() async throws {
      let session = try Session()
      var random = Seeded(3)
      for size in [
        Size(width: 40, height: 8), Size(width: 20, height: 3), Size(width: 1, height: 1),
        Size(width: 400, height: 120), Size(width: 80, height: 24),
      ] {
        session.clearEvents()
        session.pty.resize(size)
        #expect(kill(getpid(), SIGWINCH) == 0)
        try await eventually { !session.events.isEmpty }
        #expect(session.events == [.resized(size)])
        #expect(try session.terminal.size == size)
        session.startScreen(size)
        let canvas = Canvas.random(size, using: &random)
        try await session.present(canvas)
        #expect(session.screen.difference(from: canvas) == nil)
      }
      // The same size is not reported again.
      session.clearEvents()
      #expect(kill(getpid(), SIGWINCH) == 0)
      #expect(kill(getpid(), SIGHUP) == 0)
      try await eventually { !session.events.isEmpty }
      #expect(session.events == [.signal(SIGHUP)])
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGHUP])
    func externalSignalsAreReported(signal: Int32) async throws {
      let session = try Session()
      #expect(kill(getpid(), signal) == 0)
      try await eventually { !session.events.isEmpty }
      #expect(session.events == [.signal(signal)])
    }

    /// After SIGSTOP and SIGCONT the modes are set and the screen is drawn again.
    @Test func continuingRestoresModesAndScreen() async throws {
      let size = Size(width: 30, height: 4)
      let session = try Session(size)
      let modes = session.pty.modes
      var canvas = Canvas(size)
      canvas.write("tea", x: 3, y: 2)
      try await session.present(canvas)
      var other = termios()
      tcgetattr(session.pty.slave, &other)
      other.c_lflag |= tcflag_t(ECHO | ICANON)
      tcsetattr(session.pty.slave, TCSANOW, &other)
      session.startScreen(size)
      #expect(kill(getpid(), SIGCONT) == 0)
      try await eventually { !session.events.isEmpty }
      #expect(session.events == [.resumed])
      #expect(session.pty.modes == modes)
      try await session.drainOutput()
      #expect(session.screen.difference(from: canvas) == nil)
    }
  }
}
