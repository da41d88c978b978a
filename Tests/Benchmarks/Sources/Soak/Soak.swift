import ArgumentParser
import Foundation
import Synchronization
import TimerKit

/// Many timers under random control for a long time, compared with the plain model.
@main
struct Soak: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs many timers under random control and replays their histories on a plain model.",
    discussion: """
      Ends with a verdict: every timer's log agrees with the model and with the timer's own counts, \
      no handler ran inside another, and memory stayed flat. The exit code is 0 if so.
      """)

  @Option(help: "The duration in minutes.")
  var minutes = 10.0

  @Option(help: "The number of timers.")
  var timers = 100_000

  @Option(help: "The number of controlling threads.")
  var threads = 4

  @Option(help: "The total number of calls per second.")
  var rate = 20_000

  func run() throws {
    reportProgress("creating \(timers) timers")
    let pool = try TimerPool(count: timers)
    let gauge = MemoryGauge()
    let isOver = Atomic(false)
    let running = DispatchGroup()
    for number in 0..<threads {
      running.enter()
      Thread.detachNewThread {
        var random = SystemRandomNumberGenerator()
        while !isOver.load(ordering: .relaxed) {
          // In batches: sleeping between single calls would cost more than the calls.
          for _ in 0..<50 { pool.callAny(&random) }
          if number == 0 { pool.replayRetired() }
          Thread.sleep(forTimeInterval: 50 * Double(threads) / Double(rate))
        }
        running.leave()
      }
    }
    let end = Date(timeIntervalSinceNow: minutes * 60)
    while Date() < end {
      Thread.sleep(forTimeInterval: min(5, max(0.01, end.timeIntervalSinceNow)))
      gauge.read()
      print(pool.progress, gauge.progress)
      fflush(nil)
      let left = max(0, end.timeIntervalSinceNow) / 60
      reportProgress(
        String(format: "%.0f %%, %.1f min left", 100 * (1 - left / minutes), left))
    }
    reportProgress("replaying the timers that still run")
    isOver.store(true, ordering: .relaxed)
    running.wait()
    pool.retireAll()
    try verdict(pool, gauge)
  }

  private func reportProgress(_ text: String) {
    FileHandle.standardError.write(Data("\(text)\n".utf8))
  }

  private func verdict(_ pool: TimerPool, _ gauge: MemoryGauge) throws {
    print(pool.progress)
    for fault in pool.faults.prefix(3) { print(fault) }
    let lines = [
      ("each log matches the model", pool.faults.isEmpty),
      ("memory stayed flat (\(gauge.growth))", gauge.isFlat),
    ]
    for (text, holds) in lines { print(holds ? "pass" : "FAIL", text) }
    if lines.contains(where: { !$0.1 }) { throw ExitCode.failure }
  }
}
