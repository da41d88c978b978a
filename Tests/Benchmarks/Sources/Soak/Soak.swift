import ArgumentParser
import Foundation
import Synchronization
import TimerKit

/// Many timers under random control for a long time, each held to the plain model.
@main
struct Soak: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Keeps many timers under random control, and replays what they did on a plain model.",
    discussion: """
      Ends with a verdict: every timer's log agrees with the model and with the timer's own counts, \
      no handler ran inside another, and memory stayed flat. The exit code is 0 if so.
      """)

  @Option(help: "How long, in minutes.")
  var minutes = 10.0

  @Option(help: "How many timers there are at any time.")
  var timers = 100_000

  @Option(help: "How many threads control them.")
  var threads = 4

  @Option(help: "Calls a second, of all threads together.")
  var rate = 20_000

  func run() throws {
    let field = try Field(count: timers)
    let gauge = MemoryGauge()
    let isOver = Atomic(false)
    let running = DispatchGroup()
    for number in 0..<threads {
      running.enter()
      Thread.detachNewThread {
        var random = SystemRandomNumberGenerator()
        while !isOver.load(ordering: .relaxed) {
          // In portions: to sleep for single calls would cost more than they do.
          for _ in 0..<50 { field.callAny(&random) }
          if number == 0 { field.replayRetired() }
          Thread.sleep(forTimeInterval: 50 * Double(threads) / Double(rate))
        }
        running.leave()
      }
    }
    let end = Date(timeIntervalSinceNow: minutes * 60)
    while Date() < end {
      Thread.sleep(forTimeInterval: min(5, max(0.01, end.timeIntervalSinceNow)))
      gauge.read()
      print(field.progress, gauge.progress)
      fflush(nil)
    }
    isOver.store(true, ordering: .relaxed)
    running.wait()
    field.retireAll()
    try verdict(field, gauge)
  }

  private func verdict(_ field: Field, _ gauge: MemoryGauge) throws {
    print(field.progress)
    for fault in field.faults.prefix(3) { print(fault) }
    let lines = [
      ("each log agrees with the model", field.faults.isEmpty),
      ("memory stayed flat (\(gauge.growth))", gauge.isFlat),
    ]
    for (text, holds) in lines { print(holds ? "pass" : "FAIL", text) }
    if lines.contains(where: { !$0.1 }) { throw ExitCode.failure }
  }
}
