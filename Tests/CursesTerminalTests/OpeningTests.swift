import Platform
import TerminalCore
import Testing

@testable import CursesTerminal

extension TerminalSuite {
  @Suite @MainActor struct Opening {
    @Test func otherFilesAreRefused() throws {
      let pty = try Pty()
      let file = open("/dev/null", O_RDWR)
      defer { close(file) }
      var options = pty.options()
      options.input = file
      expectRefusal(options, .notATerminal(stream: "standard input"))
      options = pty.options()
      options.output = file
      expectRefusal(options, .notATerminal(stream: "standard output"))
      options.output = -1
      expectRefusal(options, .notATerminal(stream: "standard output"))
    }

    @Test(
      arguments: [
        (nil, .noTerminalType), ("", .noTerminalType),
        ("dumb", .incapableTerminalType("dumb")),
        ("no-such-terminal", .unknownTerminalType("no-such-terminal")),
        ("unknown", .unknownTerminalType("unknown")),
        ("../../etc/passwd", .unknownTerminalType("../../etc/passwd")),
      ] as [(String?, TerminalError)])
    func unusableTerminalTypeIsRefused(type: String?, error: TerminalError) throws {
      let pty = try Pty()
      let modes = pty.modes
      expectRefusal(pty.options(type), error)
      pty.read()
      #expect(pty.modes == modes)
      #expect(pty.output.isEmpty)
      #expect(!error.description.contains("\n"))
    }

    @Test func closeRestoresTheTerminal() async throws {
      let pty = try Pty()
      let modes = pty.modes
      let dispositions = signalDispositions()
      let session = try Session(pty, pty.options())
      #expect(pty.modes != modes)
      #expect(signalDispositions() != dispositions)
      try await session.present(Canvas(Size(width: 80, height: 24)))
      #expect(session.screen.isAlternate)
      #expect(!session.screen.isCursorVisible)
      for mode in ["1000", "1004", "1006", "2004"] { #expect(pty.text.contains("[?\(mode)h")) }

      pty.clear()
      try session.terminal.close()
      pty.read()
      #expect(pty.modes == modes)
      #expect(signalDispositions() == dispositions)
      for mode in ["1000", "1004", "1006", "2004"] { #expect(pty.text.contains("[?\(mode)l")) }
      var screen = session.screen
      screen.feed(pty.output)
      #expect(!screen.isAlternate)
      #expect(screen.isCursorVisible)

      pty.clear()
      try session.terminal.close()
      try session.terminal.present(Canvas(Size(width: 80, height: 24)))
      try session.terminal.redraw()
      try session.terminal.ring()
      pty.read()
      #expect(pty.output.isEmpty)
    }

    @Test func nothingIsSentBeforeTheFirstFrame() throws {
      let session = try Session()
      let modes = session.pty.modes
      try session.terminal.close()
      session.pty.read()
      #expect(session.pty.output.isEmpty)
      #expect(session.pty.modes != modes)
    }

    @Test func titleAndPaletteAreNotChanged() async throws {
      let session = try Session()
      try await session.present(Canvas(Size(width: 80, height: 24)))
      #expect(!session.pty.text.contains("\u{1B}]"))
      session.pty.clear()
      try session.terminal.close()
      session.pty.read()
      #expect(!session.pty.text.contains("\u{1B}]"))
    }

    @Test func standardErrorIsHeldUntilTheEnd() async throws {
      let pty = try Pty()
      let error = dup(pty.slave)
      defer { close(error) }
      var options = pty.options()
      options.error = error
      let session = try Session(pty, options)
      try await session.present(Canvas(Size(width: 80, height: 24)))
      #expect(write(error, "warning\n", 8) == 8)
      try await session.drainOutput()
      #expect(!pty.text.contains("warning"))
      pty.clear()
      try session.terminal.close()
      pty.read()
      #expect(pty.text.hasSuffix("\rwarning\r\n"))
      pty.clear()
      #expect(write(error, "later\n", 6) == 6)
      pty.read()
      #expect(pty.text == "later\r\n")
    }

    @Test func terminalThatDoesNotReadIsRestored() async throws {
      let session = try Session()
      try await session.present(Canvas(Size(width: 80, height: 24)))
      session.pty.clear()
      session.pty.fillBuffer()
      try session.terminal.present(Canvas(Size(width: 80, height: 24), style: Style(on: .red)))
      try session.terminal.close()
      session.pty.read()
      let isLeft = session.pty.text.contains("\u{1B}[?1049l")
      #expect(isLeft)
    }

    /// A terminal that understands xterm's sequences brings its entry along, which other machines do not have.
    @Test(
      arguments: [
        "xterm-no-entry", "foot-no-entry", "kitty-no-entry", "ghostty-no-entry",
        "alacritty-no-entry", "wezterm-no-entry",
      ]) func aTypeWithoutAnEntryIsReplaced(type: String) throws
    {
      let session = try Session(type: type)
      #expect(try session.terminal.substitution?.type == type)
      #expect(try session.terminal.substitution?.substitute == "xterm-256color")
      #expect(try session.terminal.colors == 256)
    }

    @Test func aKnownTypeIsNotReplaced() throws {
      #expect(try Session().terminal.substitution == nil)
      #expect(throws: TerminalError.unknownTerminalType("footless")) {
        _ = try Session(type: "footless")
      }
    }

    /// The size is that of the window.
    @Test(arguments: ["99999999", "0", "-1", "1001", "x", "50"])
    func variablesOfTheSizeAreIgnored(value: String) throws {
      let names = ["LINES", "COLUMNS"]
      let before = names.map { getenv($0).map { String(cString: $0) } }
      defer {
        for (name, old) in zip(names, before) {
          if let old { setenv(name, old, 1) } else { unsetenv(name) }
        }
      }
      for name in names { setenv(name, value, 1) }
      let session = try Session(Size(width: 70, height: 20))
      #expect(try session.terminal.size == Size(width: 70, height: 20))
    }

    /// Returns for each signal whether it has a handler.
    private func signalDispositions() -> [Bool] {
      (1..<32).map { signal in
        var action = sigaction()
        sigaction(Int32(signal), nil, &action)
        return action.__sigaction_handler.sa_handler != nil
      }
    }

    private func expectRefusal(
      _ options: CursesTerminal.Options, _ error: TerminalError,
      sourceLocation: SourceLocation = #_sourceLocation
    ) {
      #expect(throws: error, sourceLocation: sourceLocation) {
        _ = try CursesTerminal(options, onInput: { $0.count }, onEvent: { _ in })
      }
    }
  }
}

@Suite struct OptionsTests {
  @Test func optionsComeFromTheEnvironment() {
    let options = CursesTerminal.Options(environment: [
      "TERM": "vt100", "LC_ALL": "", "LC_CTYPE": "de_DE.UTF-8", "LANG": "C", "NO_COLOR": "1",
    ])
    #expect(options.terminalType == "vt100")
    #expect(options.locale == "de_DE.UTF-8")
    #expect(!options.usesColor)
    let bare = CursesTerminal.Options(environment: ["TERM": "", "NO_COLOR": ""])
    #expect(bare.terminalType == nil)
    #expect(bare.locale == "C")
    #expect(bare.usesColor)
  }
}
