import Testing

/// The complete text of the help, the version and the errors.
struct OptionTests {
  private func carillon(_ option: String) async throws -> Finished {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    return try await run(
      [Program.path(), option], environment: Program.environment(in: folder), in: folder)
  }

  @Test func helpIsPrinted() async throws {
    let result = try await carillon("--help")
    #expect(result.ending == .exited(0) && result.error == "")
    #expect(
      result.output == """
        OVERVIEW: Live timers in the terminal, keyboard-driven.

        carillon shows any number of timers on a board: countdowns, intervals, times of
        day, cycles, stopwatches, and timers that a key or the lines of a pipe trigger.
        Keys start, pause, lengthen, fire and undo them. The timers are a session,
        which is saved, can go on without a terminal, and is controlled from any shell
        by carillon ctl; other commands need no board.

        A timer is a duration, 'every' and a duration, or a time of day; optionally
        named: NAME=DURATION.

          carillon tea=3m                         once, in three minutes
          carillon tea 3 minutes                  the same
          carillon every 30s                      repeatedly
          carillon sets=every 45s x8 90s 1:30:00  eight times, beside two others
          carillon lunch=at 12:30 weekdays 09:55  at times of day
          carillon tomorrow 9am                   on a day
          carillon work=cycle 25m/5m x4           in phases
          carillon pomodoro                       a preset

        Other kinds: stopwatch, debounce, throttle, coalesce, idle. After any timer:
        paused, awake, chime, silent, ring, sound glass, then NAME, then NAME x3, group
        NAME, wait, run 'COMMAND', note 'TEXT', tolerance 1s, missed skip|delay|burst;
        after every: now, jitter 10s, backoff 5m. carillon restores the previous
        session; --fresh ignores it. An empty board offers examples. Press ? for the
        keys; carillon demo shows all of it.

        Each line of a pipe triggers the debounce, throttle, coalesce and idle timers:
        make 2>&1 | carillon quiet=idle 30s. --exit-when-done quits when all timers
        have finished. --no-mouse leaves the mouse to the terminal; --config FILE
        replaces ~/.config/carillon/config.toml.

        USAGE: carillon [--fresh] [--session <name>] [--take-over] [--detach [--quiet]]
                        [--exit-when-done] [--no-mouse] [--config <file>] [<timer> ...]
               carillon <command>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          run                     Run timers without a screen, and a command at each
                                  fire.
          debounce                Pass on the last line of a burst when the input is
                                  quiet.
          throttle                Pass on at most one line per interval.
          status                  Print the timers of a session.
          serve                   Run a session without a screen, controlled by
                                  carillon ctl.
          ctl                     Control a session from any shell.
          attach                  Show the timers of another process, live.
          history                 Print the recorded runs of timers.
          stats                   Print totals by day, week and name.
          presets                 Print the presets.
          check                   Check a configuration or a session file, or a timer.
          demo                    See how timers behave and fail.

          See 'carillon help <subcommand>' for detailed help.

        """)
  }

  @Test func theVersionIsPrinted() async throws {
    let result = try await carillon("--version")
    #expect(result.ending == .exited(0) && result.error == "")
    #expect(result.output.wholeMatch(of: /carillon \d+\.\d+\.\d+\n/) != nil)
  }

  @Test func anUnknownOptionIsReported() async throws {
    let result = try await carillon("--no-such-option")
    #expect(result.ending == .exited(2) && result.output == "")
    #expect(
      result.error == """
        carillon: unknown option '--no-such-option' (see carillon --help)

        """)
  }
}
