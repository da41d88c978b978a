import Foundation
import Testing

/// A real terminal in its own tmux server: a test types keys and reads the screen.
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
    // An ended program stays on the screen.
    try Data("set -g remain-on-exit on\n".utf8).write(to: URL(fileURLWithPath: configuration))
    // The program's TERM is set here, because tmux would set its own.
    let start = ["new-session", "-d", "-x", "\(columns)", "-y", "\(rows)", "env"]
    let terminalType = environment["TERM"].map { ["TERM=\($0)"] } ?? ["-u", "TERM"]
    _ = try await tmux(start + terminalType + command)
  }

  // MARK: Input

  /// Presses keys by their tmux names: `Space`, `Up`, `C-c`, `+`.
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

  /// Writes to the terminal behind the program's back, as another program's message does.
  func writeOverScreen(_ text: String) async throws {
    let tty = try #require(FileHandle(forWritingAtPath: try await value(of: "pane_tty")))
    try tty.write(contentsOf: Data(text.utf8))
    try tty.close()
  }

  func resize(columns: Int, rows: Int) async throws {
    _ = try await tmux(["resize-window", "-x", "\(columns)", "-y", "\(rows)"])
  }

  // MARK: Output

  func screen() async throws -> Screen {
    Screen(try await tmux(["capture-pane", "-p"]))
  }

  /// Waits until the screen meets a condition, and returns it.
  @discardableResult
  func screen(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: (Screen) -> Bool
  ) async throws -> Screen {
    var screen = Screen("")
    let isMet = try await eventually {
      screen = try await self.screen()
      return condition(screen)
    }
    if !isMet {
      let state = try await state()
      try #require(
        isMet, "\(what): not seen; the screen (program \(state)):\n\(screen)",
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

  /// Waits until a timer's row contains all of these.
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

  func snapshot() async throws -> ScreenSnapshot {
    ScreenSnapshot(try await tmux(["capture-pane", "-p", "-e"])).withoutClock
  }

  /// Returns the snapshot when two consecutive snapshots are equal.
  func stableSnapshot() async throws -> ScreenSnapshot {
    var snapshot = try await snapshot()
    let isStable = try await eventually {
      let last = snapshot
      snapshot = try await self.snapshot()
      return snapshot == last
    }
    try #require(isStable, "the screen keeps changing:\n\(snapshot)")
    return snapshot
  }

  /// Waits until the snapshot equals this one.
  func see(
    _ expected: ScreenSnapshot, _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var snapshot = expected
    let isMet = try await eventually {
      snapshot = try await self.snapshot()
      return snapshot == expected
    }
    try #require(
      isMet,
      "\(what):\n\(snapshot)\ndiffers from the expected screen:\n\(snapshot.differences(from: expected))",
      sourceLocation: sourceLocation)
  }

  /// Redraws the screen over foreign text, and expects the same snapshot as before: the screen showed exactly
  /// what the program intended.
  func expectSameScreenAfterRedraw(
    _ what: Comment, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    let snapshot = try await stableSnapshot()
    try await writeOverScreen("\u{1B}[9;1Hnonsense from elsewhere")
    try await see("nonsense", sourceLocation: sourceLocation)
    try await press("C-l")
    try await see(snapshot, what, sourceLocation: sourceLocation)
  }

  /// Returns a variable of tmux, such as `alternate_on` or `pane_pid`.
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

  /// Describes the program's state for error messages.
  private func state() async throws -> String {
    try await value(
      of: "?pane_dead,ended with status #{pane_dead_status} signal #{pane_dead_signal},runs")
  }

  fileprivate func end() async throws {
    let processes = try await [value(of: "pid"), value(of: "pane_pid")].compactMap(pid_t.init)
    _ = try await tmux(["kill-server"])
    let areGone = try await eventually { !processes.contains(where: isAlive) }
    #expect(areGone, "the tmux server or its program outlived the test")
  }
}

/// Runs a test with a command in a terminal, and ends both afterwards.
func withTerminal(
  columns: Int = 80, rows: Int = 24, command: [String],
  environment changes: [String: String?] = [:],
  _ test: (TmuxTerminal) async throws -> Void
) async throws {
  try await ConcurrencyLimit.terminals.run {
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
    #expect(try await terminal.value(of: "pane_dead") == "0", "the program ended unexpectedly")
  }
}

func withCarillon(
  _ timers: String..., columns: Int = 80, rows: Int = 24,
  environment: [String: String?] = [:], _ test: (TmuxTerminal) async throws -> Void
) async throws {
  try await withCarillon(
    timers, columns: columns, rows: rows, environment: environment, test)
}
