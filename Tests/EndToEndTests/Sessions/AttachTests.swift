import Foundation
import Testing
import TimerKit

@testable import TimerKitInspector

/// The board of another process: this one, which publishes its timers.
struct AttachTests {
  @Test func showsAndControlsTheTimersOfAnotherProcess() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = ["XDG_RUNTIME_DIR": folder.path("")]
    let sockets = folder.path("timerkit")
    let listing = try await run(
      [Program.path(), "attach"], environment: Program.environment(in: folder, with: environment),
      in: folder)
    #expect(listing.error.contains("no process publishes its timers"))

    try TimerInspector.start(name: "server", allowsControl: true, in: sockets)
    defer { TimerInspector.stop() }
    let poll = try Repeater.every(.hours(1)) { _, _ in }
    let save = try Debouncer<Int>(delay: .seconds(2)) { _, _ in }
    let hostile = Stopwatch()
    TimerInspector.label("poll", poll)
    TimerInspector.label("save", save)
    TimerInspector.label("x\u{1B}[2J", hostile)
    let list = try await run(
      [Program.path(), "attach"], environment: Program.environment(in: folder, with: environment),
      in: folder)
    #expect(list.output.hasPrefix("\(ProcessInfo.processInfo.processIdentifier)  server  "))
    #expect(list.output.hasSuffix(" timers  controls\n"))

    try await withTerminal(
      columns: 100, command: [Program.path(), "attach", "server"], environment: environment
    ) { terminal in
      try await terminal.screen("the timers") { screen in
        screen.row("poll", has: "▶ runs") && screen.row("save", has: "ready")
          && screen.contains("x\u{FFFD}[2J")
      }
      // By name, so that it is the first one.
      try await terminal.press("/", "p", "o", "l", "l", "Enter")
      try await terminal.screen("only the match") { !$0.contains("save") }
      try await terminal.press("Space")
      try await terminal.screen("the timer is paused") { $0.row("poll", has: "‖ paused") }
      #expect(poll.state == .paused)
      try await terminal.press("f")
      try await terminal.see("poll: fired")
      #expect(poll.snapshot.deliveredCount == 1)
      try await terminal.press("e")
      try await terminal.see("e: not in attach")
      // A key directly after Escape would be one with Alt.
      try await terminal.press("Escape")
      try await terminal.see("save")
      for (key, text) in [("2", "repeater"), ("3", "now"), ("L", "poll"), ("1", "save")] {
        try await terminal.press(key)
        try await terminal.see(text)
      }
      try await terminal.press("/", "s", "a", "v", "e", "Enter")
      try await terminal.screen("only the match") { screen in
        !screen.contains("poll") && screen.contains("1 of ")
      }
      TimerInspector.stop()
      try await terminal.see("the process has ended; q closes its last page")
      try await terminal.press("q")
      #expect(try await eventually { try await terminal.value(of: "pane_dead") == "1" })
    }
  }
}
