import Foundation
import Testing

/// A real terminal, kept by a tmux server of its own: keys are typed into it, and its screen is read.
struct TmuxTerminal {
  let folder: TemporaryFolder
  private let environment: [String: String]
  private var socket: String { folder.path("tmux") }
  private var configuration: String { folder.path("tmux.conf") }

  fileprivate init(
    _ command: [String], columns: Int, rows: Int, environment: [String: String],
    in folder: TemporaryFolder
  ) async throws {
    self.folder = folder
    var own = environment
    own["TERM"] = nil
    self.environment = own
    // What has ended stays to be looked at.
    try Data("set -g remain-on-exit on\n".utf8).write(to: URL(fileURLWithPath: configuration))
    // What runs in it gets its TERM here: tmux would set its own.
    let start = ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "env"]
    let terminalType = environment["TERM"].map { ["TERM=\($0)"] } ?? ["-u", "TERM"]
    _ = try await tmux(start + terminalType + command)
  }

  // MARK: Doing

  /// Presses keys by the names that tmux gives them: `Space`, `Up`, `C-c`, `+`.
  func press(_ keys: String...) async throws {
    try await press(keys)
  }

  func press(_ keys: [String]) async throws {
    _ = try await tmux(["send-keys"] + keys)
  }

  func press(_ key: String, times: Int) async throws {
    _ = try await tmux(["send-keys", "-N", "\(times)", key])
  }

  func type(_ text: String) async throws {
    _ = try await tmux(["send-keys", "-l", text])
  }

  /// Pastes a text as a terminal does in bracketed paste mode.
  func paste(_ text: String) async throws {
    _ = try await tmux(["set-buffer", text])
    _ = try await tmux(["paste-buffer", "-p", "-r"])
  }

  /// Writes on the terminal past the program, as a stray message does.
  func scribble(_ text: String) async throws {
    let tty = try #require(FileHandle(forWritingAtPath: try await value(of: "pane_tty")))
    try tty.write(contentsOf: Data(text.utf8))
    try tty.close()
  }

  func resize(columns: Int, rows: Int) async throws {
    _ = try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  // MARK: Seeing

  func screen() async throws -> Screen {
    Screen(try await tmux(["capture-pane", "-p"]))
  }

  /// Waits until the screen is as it should be, and answers with it.
  @discardableResult
  func screen(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ isSo: (Screen) -> Bool
  ) async throws -> Screen {
    var screen = Screen("")
    let came = try await eventually {
      screen = try await self.screen()
      return isSo(screen)
    }
    if !came {
      let state = try await state()
      try #require(
        came, "\(what): that was not to be seen, but (it \(state))\n\(screen)",
        sourceLocation: sourceLocation)
    }
    return screen
  }

  /// Waits until a text is somewhere on the screen.
  @discardableResult
  func see(
    _ text: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Screen {
    try await screen("“\(text)”", sourceLocation: sourceLocation) { $0.contains(text) }
  }

  /// Waits until a timer's row holds all of these.
  @discardableResult
  func see(
    _ parts: String..., inRow name: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Screen {
    try await screen(
      "\(parts.joined(separator: ", ")) in the row of \(name)", sourceLocation: sourceLocation
    ) { screen in
      guard let row = screen.row(name) else { return false }
      return parts.allSatisfy(row.contains)
    }
  }

  func picture() async throws -> Picture {
    Picture(try await tmux(["capture-pane", "-p", "-e"])).withoutClock
  }

  /// The picture when two looks at it in a row were the same.
  func standingPicture() async throws -> Picture {
    var picture = try await picture()
    let stands = try await eventually {
      let last = picture
      picture = try await self.picture()
      return picture == last
    }
    try #require(stands, "the picture does not stand still:\n\(picture)")
    return picture
  }

  /// Waits until the picture is this one.
  func see(
    _ expected: Picture, _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var picture = expected
    let came = try await eventually {
      picture = try await self.picture()
      return picture == expected
    }
    try #require(
      came, "\(what):\n\(picture)\nis not as it was in\n\(picture.differences(from: expected))",
      sourceLocation: sourceLocation)
  }

  /// Draws the whole screen anew, over what a stray message wrote: it is as it was, so what was
  /// there before was all that the program meant to be there, and nothing else.
  func redrawsWhatItShows(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let picture = try await standingPicture()
    try await scribble("\u{1B}[9;1Hnonsense from elsewhere")
    try await see("nonsense", sourceLocation: sourceLocation)
    try await press("C-l")
    try await see(picture, what, sourceLocation: sourceLocation)
  }

  /// A variable of tmux, such as `alternate_on` or `pane_pid`.
  func value(of variable: String) async throws -> String {
    try await tmux(["display-message", "-p", "#{\(variable)}"])
      .trimmingCharacters(in: .newlines)
  }

  // MARK: The server

  private func tmux(_ arguments: [String]) async throws -> String {
    let result = try await run(
      ["tmux", "-S", socket, "-f", configuration] + arguments, environment: environment, in: folder)
    try #require(
      result.ending == .exited(0), "tmux \(arguments.joined(separator: " ")): \(result.error)")
    return result.output
  }

  /// For people.
  private func state() async throws -> String {
    try await value(
      of: "?pane_dead,ended with status #{pane_dead_status} signal #{pane_dead_signal},runs")
  }

  fileprivate func end() async throws {
    let processes = try await [value(of: "pid"), value(of: "pane_pid")].compactMap(pid_t.init)
    _ = try await tmux(["kill-server"])
    let areGone = try await eventually { !processes.contains(where: isAlive) }
    #expect(areGone, "the tmux server, or what ran in it, outlived the test")
  }
}

/// Runs a test with a command in a terminal, and sees to it that neither outlives the test.
func withTerminal(
  columns: Int = 80, rows: Int = 24, command: [String],
  environment changes: [String: String?] = [:],
  _ test: (TmuxTerminal) async throws -> Void
) async throws {
  try await Turnstile.terminals.pass {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = Program.environment(in: folder, with: changes)
    let terminal: TmuxTerminal
    do {
      terminal = try await TmuxTerminal(
        command, columns: columns, rows: rows, environment: environment, in: folder)
    } catch is ChildProcess.SpawnError {
      Issue.record("these tests need tmux: make test installs it")
      return
    }
    do {
      try await test(terminal)
    } catch {
      try? await terminal.end()
      throw error
    }
    try await terminal.end()
  }
}

/// Runs a test with the dashboard in a terminal.
func withCarillon(
  _ timers: [String], columns: Int = 80, rows: Int = 24,
  environment: [String: String?] = [:], _ test: (TmuxTerminal) async throws -> Void
) async throws {
  try await withTerminal(
    columns: columns, rows: rows, command: [Program.path()] + timers, environment: environment
  ) { terminal in
    try await test(terminal)
    #expect(try await terminal.value(of: "pane_dead") == "0", "it has ended by itself")
  }
}

func withCarillon(
  _ timers: String..., columns: Int = 80, rows: Int = 24,
  environment: [String: String?] = [:], _ test: (TmuxTerminal) async throws -> Void
) async throws {
  try await withCarillon(
    timers, columns: columns, rows: rows, environment: environment, test)
}
