import Platform
import TerminalCore
import Testing

@testable import CursesTerminal

extension TerminalSuite {
  /// Ways to end a process with a terminal. Each test runs in a process of its own, on a terminal
  /// of this one.
  @Suite @MainActor struct ProcessEnds {
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func handledSignals(signal: Int32) async throws {
      let observer = try TerminalObserver()
      let path = observer.path
      await #expect(processExitsWith: .signal(signal)) {
        @MainActor [path = path as String, signal = signal as Int32] in
        try opened(path).exit(bySignal: signal)
      }
      observer.expectRestored()
    }

    private nonisolated static let unhandled: [Int32] = {
      var signals = [
        SIGSEGV, SIGILL, SIGBUS, SIGFPE, SIGTRAP, SIGABRT, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE,
        SIGALRM,
        SIGVTALRM, SIGPROF, SIGSYS, SIGXCPU, SIGXFSZ,
      ]
      #if os(Linux)
        // The last three are the first, another and the last of the real-time signals.
        signals += [SIGIO, SIGPWR, SIGSTKFLT, 34, 40, 64]
      #endif
      return signals
    }()

    @Test(arguments: unhandled)
    func unhandledSignals(signal: Int32) async throws {
      let observer = try TerminalObserver()
      let path = observer.path
      await #expect(processExitsWith: .signal(signal)) {
        @MainActor [path = path as String, signal = signal as Int32] in
        let terminal = try opened(path)
        kill(getpid(), signal)
        sleep(60)
        terminal.close()
      }
      observer.expectRestored()
    }

    @Test func trap() async throws {
      let observer = try TerminalObserver()
      let path = observer.path
      await #expect(processExitsWith: .failure) { @MainActor [path = path as String] in
        let terminal = try opened(path)
        precondition(terminal.size.width == 0, "on purpose")
      }
      observer.expectRestored()
      #expect(observer.text.contains("on purpose"))
    }

    /// A signal handler needs a stack of its own after a stack overflow.
    @Test func stackOverflow() async throws {
      let observer = try TerminalObserver()
      let path = observer.path
      await #expect(processExitsWith: .signal(SIGSEGV)) { @MainActor [path = path as String] in
        let terminal = try opened(path)
        #expect(depth(terminal.size.width) == 0)
      }
      observer.expectRestored()
    }

    @Test func exitCall() async throws {
      let observer = try TerminalObserver()
      let path = observer.path
      await #expect(processExitsWith: .exitCode(7)) { @MainActor [path = path as String] in
        let terminal = try opened(path)
        withExtendedLifetime(terminal) { exit(7) }
      }
      observer.expectRestored()
    }
  }
}

/// Opens the terminal at a path as the standard streams of the process and draws on it.
@MainActor
private func opened(_ path: String) throws -> CursesTerminal {
  let descriptor = open(path, O_RDWR | O_NOCTTY)
  for stream in 0..<3 as Range<Int32> { dup2(descriptor, stream) }
  let terminal = try CursesTerminal(
    .init(terminalType: "xterm-256color"), onInput: { $0.count }, onEvent: { _ in })
  var canvas = Canvas(terminal.size)
  canvas.cursor = Point(x: 1, y: 1)
  terminal.present(canvas)
  return terminal
}

/// Calls itself until the stack overflows.
private func depth(_ start: Int) -> Int {
  start < 0 ? 0 : depth(start + 1) + 1
}

/// The other end of a terminal, with the modes that it had before.
@MainActor
private final class TerminalObserver {
  private let pty: Pty
  private let modes: [UInt]

  init() throws {
    pty = try Pty()
    modes = pty.modes
  }

  var path: String { pty.path }
  var text: String { pty.text }

  func expectRestored(sourceLocation: SourceLocation = #_sourceLocation) {
    pty.read()
    #expect(pty.modes == modes, sourceLocation: sourceLocation)
    let last = pty.text.split(separator: "\u{1B}[?1049h").last ?? ""
    #expect(pty.text.contains("\u{1B}[?1049h"), sourceLocation: sourceLocation)
    for sequence in ["[?1049l", "[?1000l", "[?2004l", "[?25h"] {
      #expect(last.contains("\u{1B}" + sequence), sourceLocation: sourceLocation)
    }
  }
}
