import Foundation
import Testing

/// An interactive shell in a terminal, from which a test starts the dashboard.
struct Shell {
  static let prompt = "ready$"

  let terminal: TmuxTerminal

  /// Types a command. The caller waits for its output.
  func enter(_ command: String) async throws {
    try await terminal.type(command)
    try await terminal.press("Enter")
  }

  /// Starts the dashboard and waits until it is shown.
  /// - Returns: the process identifier.
  func start(_ timers: String) async throws -> pid_t {
    let file = terminal.folder.path("pid")
    try await enter("sh -c 'echo $$ >\(file); exec \(Program.path()) \(timers)'")
    try await terminal.see("NAME")
    return try #require(pid_t(try terminal.folder.line(of: "pid")))
  }

  /// Waits until the shell controls the terminal again.
  /// - Returns: the exit status of the previous command.
  func status() async throws -> Int32 {
    try await terminal.screen("the shell's prompt") { screen in
      screen.lines.last { !$0.isEmpty } == Self.prompt
    }
    let text = try await output(to: "echo $?")
    return try #require(Int32(text.trimmingCharacters(in: .newlines)))
  }

  /// Returns the settings of the terminal: the line modes, and those that tmux reports.
  func settings() async throws -> String {
    let modes = [
      "alternate_on", "cursor_flag", "insert_flag", "keypad_cursor_flag", "keypad_flag",
      "mouse_any_flag", "mouse_sgr_flag", "origin_flag", "wrap_flag", "scroll_region_upper",
      "scroll_region_lower", "pane_title",
    ]
    let known = try await terminal.value(of: modes.joined(separator: "} #{"))
    return try await output(to: "stty -a") + known
  }

  private func output(to command: String) async throws -> String {
    let name = UUID().uuidString
    let file = terminal.folder.path(name)
    // Renamed when it is complete.
    try await enter("\(command) >\(file)~; mv \(file)~ \(file)")
    let exists = try await eventually { FileManager.default.fileExists(atPath: file) }
    let screen = try await terminal.screen()
    try #require(exists, "the shell did not respond; the screen:\n\(screen)")
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
