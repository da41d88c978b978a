import ArgumentParser

/// The root command. Where its first word is no command's name, it is the board.
struct Carillon: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "carillon",
    abstract: "Live timers in the terminal, played from the keyboard.",
    usage: """
      carillon [--fresh] [<timer> ...]
      carillon <command>
      """,
    discussion: """
      A timer is a duration, with a name before it if it shall have one, or “every” and a duration:

        carillon tea=3m                         once, in three minutes
        carillon every 30s                      again and again
        carillon sets=every 45s x8 90s 1:30:00  eight times, beside two others

      After any timer: paused, tolerance 1s, missed skip|delay|burst, note 'TEXT'.
      The timers of last time are there again; --fresh leaves them alone. The first
      time a tour opens. Press ? in it for the keys.
      """,
    version: "0.1.0",
    subcommands: [Board.self, Run.self, Debounce.self, Throttle.self, Status.self, Demo.self],
    defaultSubcommand: Board.self)

  /// What can be asked for as the first word.
  static let commandNames = configuration.subcommands.dropFirst().map { $0._commandName } + ["help"]
}
