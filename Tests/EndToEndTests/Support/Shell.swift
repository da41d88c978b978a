import Foundation
import Testing

/// An interactive shell in a terminal, from which the dashboard is started as people do.
struct Shell {
  static let prompt = "ready$"

  let terminal: TmuxTerminal

  /// Types a command. What it prints is for the caller to wait for.
  func enter(_ command: String) async throws {
    try await terminal.type(command)
    try await terminal.press("Enter")
  }

  /// Starts the dashboard and waits until it shows.
  /// - Returns: its process.
  func start(_ timers: String) async throws -> pid_t {
    let file = terminal.folder.path("pid")
    try await enter("sh -c 'echo $$ >\(file); exec \(Program.path()) \(timers)'")
    try await terminal.see("NAME")
    return try #require(pid_t(try terminal.folder.line(of: "pid")))
  }

  /// Waits until the shell has the terminal again.
  /// - Returns: the status of what ran before.
  func status() async throws -> Int32 {
    try await terminal.screen("the shell's prompt") { screen in
      screen.lines.last { !$0.isEmpty } == Self.prompt
    }
    let text = try await answer(to: "echo $?")
    return try #require(Int32(text.trimmingCharacters(in: .newlines)))
  }

  /// The settings of the terminal: the modes of the line, and those that tmux reports.
  func settings() async throws -> String {
    let modes = [
      "alternate_on", "cursor_flag", "insert_flag", "keypad_cursor_flag", "keypad_flag",
      "mouse_any_flag", "mouse_sgr_flag", "origin_flag", "wrap_flag", "scroll_region_upper",
      "scroll_region_lower",
    ]
    let known = try await terminal.value(of: modes.joined(separator: "} #{"))
    return try await answer(to: "stty -a") + known
  }

  private func answer(to command: String) async throws -> String {
    let name = UUID().uuidString
    let file = terminal.folder.path(name)
    // Renamed when it is whole.
    try await enter("\(command) >\(file)~; mv \(file)~ \(file)")
    let came = try await eventually { FileManager.default.fileExists(atPath: file) }
    let screen = try await terminal.screen()
    try #require(came, "the shell did not answer; the screen:\n\(screen)")
    return try terminal.folder.text(of: name)
  }
}

/// Runs a test with a shell that has already printed something.
func withShell(_ test: (Shell, _ screenBefore: Screen) async throws -> Void) async throws {
  let environment = ["PS1": "\(Shell.prompt) ", "ENV": nil, "HISTFILE": nil]
  try await withTerminal(command: ["sh"], environment: environment) { terminal in
    let shell = Shell(terminal: terminal)
    try await terminal.see(Shell.prompt)
    try await shell.enter("echo printed 'before'")
    let before = try await terminal.screen("a prompt below the output") { screen in
      screen.lines.contains("printed before")
        && screen.lines.last { !$0.isEmpty } == Shell.prompt
    }
    try await test(shell, before)
  }
}
