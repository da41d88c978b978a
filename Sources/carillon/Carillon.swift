import ArgumentParser

/// The root command. Where its first word is no command's name, it is the board.
struct Carillon: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "carillon",
    abstract: "Live timers in the terminal, played from the keyboard.",
    usage: """
      carillon [--fresh] [--no-mouse] [--config <file>] [<timer> ...]
      carillon <command>
      """,
    discussion: """
      A timer is a duration, with a name before it if it shall have one, “every” and a duration, \
      or a time of day:

        carillon tea=3m                         once, in three minutes
        carillon every 30s                      again and again
        carillon sets=every 45s x8 90s 1:30:00  eight times, beside two others
        carillon lunch=at 12:30 weekdays 09:55  by the clock
        carillon pomodoro=cycle 25m/5m x4       phase after phase

      Also stopwatch, debounce, throttle, coalesce, idle. After any timer: paused, then NAME, \
      ring, run 'COMMAND', note 'TEXT', tolerance 1s, missed skip|delay|burst; after every: \
      backoff 5m. The timers of last time are there again; --fresh leaves them alone. The first \
      time a tour opens. Press ? in it for the keys.

      Each line that is piped in triggers the debounced, throttled and background timers: \
      make 2>&1 | carillon quiet=idle 30s. --no-mouse leaves the mouse to the terminal; --config \
      FILE is another configuration than ~/.config/carillon/config.toml.
      """,
    version: "carillon \(release)",
    subcommands: [
      Dashboard.self, Run.self, Debounce.self, Throttle.self, Status.self, Check.self, Demo.self,
    ],
    defaultSubcommand: Dashboard.self)

  /// The version of the program and of TimerKit. The Makefile and the packages read this line.
  static let release = "1.0.0"

  /// What can be asked for as the first word.
  static let commandNames = configuration.subcommands.dropFirst().map { $0._commandName } + ["help"]
}
