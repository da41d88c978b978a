import Platform
import TerminalCore
import Testing

@testable import CursesTerminal

extension TerminalSuite {
  /// Each in a process of its own, on a terminal that this one watches.
  @Suite @MainActor struct Deaths {
    @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
    func bySignalsThatAreHandled(signal: Int32) async throws {
      let watch = try Watch()
      let path = watch.path
      await #expect(processExitsWith: .signal(signal)) {
        @MainActor [path = path as String, signal = signal as Int32] in
        try opened(path).die(of: signal)
      }
      watch.expectRestored()
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
    func bySignalsThatNobodyHandles(signal: Int32) async throws {
      let watch = try Watch()
      let path = watch.path
      await #expect(processExitsWith: .signal(signal)) {
        @MainActor [path = path as String, signal = signal as Int32] in
        let terminal = try opened(path)
        kill(getpid(), signal)
        sleep(60)
        terminal.close()
      }
      watch.expectRestored()
    }

    @Test func byATrap() async throws {
      let watch = try Watch()
      let path = watch.path
      await #expect(processExitsWith: .failure) { @MainActor [path = path as String] in
        let terminal = try opened(path)
        precondition(terminal.size.width == 0, "on purpose")
      }
      watch.expectRestored()
      #expect(watch.text.contains("on purpose"))
    }

    /// A handler needs a stack where the thread's has run out.
    @Test func byAStackThatRanOut() async throws {
      let watch = try Watch()
      let path = watch.path
      await #expect(processExitsWith: .signal(SIGSEGV)) { @MainActor [path = path as String] in
        let terminal = try opened(path)
        #expect(depth(terminal.size.width) == 0)
      }
      watch.expectRestored()
    }

    @Test func byExit() async throws {
      let watch = try Watch()
      let path = watch.path
      await #expect(processExitsWith: .exitCode(7)) { @MainActor [path = path as String] in
        let terminal = try opened(path)
        withExtendedLifetime(terminal) { exit(7) }
      }
      watch.expectRestored()
    }
  }
}

/// Opens the terminal there, with a picture on it, as the process's standard streams.
@MainActor
private func opened(_ path: String) throws -> CursesTerminal {
  let descriptor = open(path, O_RDWR | O_NOCTTY)
  for stream in 0..<3 as Range<Int32> { dup2(descriptor, stream) }
  let terminal = try CursesTerminal(.init(terminalType: "xterm-256color")) { _ in }
  var canvas = Canvas(terminal.size)
  canvas.cursor = Point(x: 1, y: 1)
  terminal.present(canvas)
  return terminal
}

/// Never returns, and takes a little of the stack each time it calls itself.
private func depth(_ start: Int) -> Int {
  start < 0 ? 0 : depth(start + 1) + 1
}

/// Looks at a terminal from the other side.
@MainActor
private final class Watch {
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
