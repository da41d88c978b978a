import ArgumentParser

/// The root command. If the first word is not the name of a command, the dashboard opens.
struct Carillon: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "carillon",
    abstract: "Live timers in the terminal, keyboard-driven.",
    usage: """
      carillon [--fresh] [--session <name>] [--take-over] [--detach]
               [--exit-when-done] [--no-mouse] [--config <file>] [<timer> ...]
      carillon <command>
      """,
    discussion: """
      A timer is a duration, 'every' and a duration, or a time of day; optionally named: \
      NAME=DURATION.

        carillon tea=3m                         once, in three minutes
        carillon tea 3 minutes                  the same
        carillon every 30s                      repeatedly
        carillon sets=every 45s x8 90s 1:30:00  eight times, beside two others
        carillon lunch=at 12:30 weekdays 09:55  at times of day
        carillon tomorrow 9am                   on a day
        carillon work=cycle 25m/5m x4           in phases
        carillon pomodoro                       a preset

      Other kinds: stopwatch, debounce, throttle, coalesce, idle. After any timer: paused, \
      awake, chime, silent, ring, then NAME, then NAME x3, group NAME, wait, run 'COMMAND', note 'TEXT', tolerance 1s, missed skip|delay|burst; after \
      every: backoff 5m. carillon restores the previous session; --fresh ignores it. The first \
      start opens a tour. Press ? for the keys.

      Each line of a pipe triggers the debounce, throttle, coalesce and idle timers: \
      make 2>&1 | carillon quiet=idle 30s. --exit-when-done quits \
      when all timers have finished. --no-mouse leaves the mouse to the terminal; --config \
      FILE replaces ~/.config/carillon/config.toml.
      """,
    version: "carillon \(release)",
    subcommands: [
      DashboardCommand.self, RunCommand.self, DebounceCommand.self, ThrottleCommand.self,
      StatusCommand.self, ServeCommand.self, ControlCommand.self, HistoryCommand.self,
      StatsCommand.self, PresetsCommand.self, CheckCommand.self, DemoCommand.self,
    ],
    defaultSubcommand: DashboardCommand.self)

  /// The version of the program and of TimerKit. The Makefile and the packages read this line.
  static let release = "1.0.0"

  /// The names of the commands.
  static let commandNames = configuration.subcommands.dropFirst().map { $0._commandName } + ["help"]
}
