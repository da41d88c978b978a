import Testing

/// What is said without a terminal, word for word.
struct OptionTests {
  private func carillon(_ option: String) async throws -> Finished {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    return try await run(
      [Program.path(), option], environment: Program.environment(in: folder), in: folder)
  }

  @Test func help() async throws {
    let result = try await carillon("--help")
    #expect(result.ending == .exited(0) && result.error == "")
    #expect(
      result.output == """
        OVERVIEW: Live timers in the terminal, played from the keyboard.

        A timer is a duration, with a name before it if it shall have one, “every” and
        a duration, or a time of day:

          carillon tea=3m                         once, in three minutes
          carillon every 30s                      again and again
          carillon sets=every 45s x8 90s 1:30:00  eight times, beside two others
          carillon lunch=at 12:30 weekdays 09:55  by the clock
          carillon pomodoro=cycle 25m/5m x4       phase after phase

        Also stopwatch, debounce, throttle, coalesce, idle. After any timer: paused,
        then NAME, ring, run 'COMMAND', note 'TEXT', tolerance 1s, missed
        skip|delay|burst; after every: backoff 5m. The timers of last time are there
        again; --fresh leaves them alone. The first time a tour opens. Press ? in it
        for the keys.

        Each line that is piped in triggers the debounced, throttled and background
        timers: make 2>&1 | carillon quiet=idle 30s. --no-mouse leaves the mouse to the
        terminal; --config FILE is another configuration than
        ~/.config/carillon/config.toml.

        USAGE: carillon [--fresh] [--no-mouse] [--config <file>] [<timer> ...]
               carillon <command>

        OPTIONS:
          --version               Show the version.
          -h, --help              Show help information.

        SUBCOMMANDS:
          run                     Run timers without a screen, and a command at each
                                  fire.
          debounce                Of a burst of lines, pass on the last when it is
                                  quiet.
          throttle                Pass on at most one line in an interval.
          status                  Print the timers of the saved session.
          check                   Check a configuration or a session file.
          demo                    See how timers behave, and how they go wrong.

          See 'carillon help <subcommand>' for detailed help.

        """)
  }

  @Test func version() async throws {
    let result = try await carillon("--version")
    #expect(result.ending == .exited(0) && result.error == "")
    #expect(result.output.wholeMatch(of: /carillon \d+\.\d+\.\d+\n/) != nil)
  }

  @Test func anUnknownOption() async throws {
    let result = try await carillon("--no-such-option")
    #expect(result.ending == .exited(2) && result.output == "")
    #expect(
      result.error == """
        carillon: Unknown option '--no-such-option'
        Usage: carillon [--fresh] [--no-mouse] [--config <file>] [<timer> ...]
          See 'carillon --help' for more information.

        """)
  }
}
