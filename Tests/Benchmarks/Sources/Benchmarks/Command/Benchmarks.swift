import ArgumentParser

@main
struct Benchmarks: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Compares TimerKit with other timers.",
    discussion: """
      Every sample is taken in a process of its own, the systems take turns, and each figure is \
      shown with its ratio to raw GCD and to a reading of the clock in the same round. A system \
      that cannot do a row, or takes too long, says so in its place.
      """,
    subcommands: [RunCommand.self, SampleCommand.self], defaultSubcommand: RunCommand.self)
}
