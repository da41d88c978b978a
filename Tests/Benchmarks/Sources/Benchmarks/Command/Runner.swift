import Foundation

/// Takes the samples of a plan in sequence, each in its own process.
struct Runner {
  /// The time limit of a sample, in seconds.
  let limit: Int

  func run(_ plan: Plan, into results: inout Results) throws {
    var leads: [Results.Key: Int64] = [:]
    for round in 0..<plan.runs {
      for row in plan.rows {
        for count in plan.counts(of: row) {
          // The first system changes with each round, so that none always follows the same system.
          let systems = plan.systems.filter { $0.supports(row) }
          for turn in systems.indices {
            let system = systems[(turn + round) % systems.count]
            let key = Results.Key(row: row, system: system, count: count)
            guard results.reason(for: key) == nil else { continue }
            printProgress("\(round + 1)/\(plan.runs) \(row) \(Size.text(count)) \(system.title)")
            var lead = leads[key] ?? 1
            while !(try take(key, lead: lead, round: round, into: &results)) { lead *= 2 }
            leads[key] = lead
          }
        }
      }
    }
    printProgress("")
  }

  /// Returns false if the sample must be repeated with more lead time.
  private func take(
    _ key: Results.Key, lead: Int64, round: Int, into results: inout Results
  ) throws -> Bool {
    let child = try ChildProcess(
      arguments: [
        "sample", "--row", key.row.rawValue, "--system", key.system.rawValue, "--size",
        "\(key.count)", "--lead", "\(lead)",
      ], limit: limit)
    guard let sample = try? JSONDecoder().decode(Sample.self, from: child.output) else {
      results.markUnavailable(key, because: child.hasTimedOut ? "over \(limit) s" : "crashed")
      return true
    }
    switch sample.outcome {
    case .readings(let readings):
      results.add(readings, clockRead: sample.clockRead, of: key, round: round)
    case .notReadyInTime:
      if lead < 16 { return false }
      results.markUnavailable(key, because: "too slow to be ready")
    case .wrongChecksum(let text): results.recordWrongChecksum(key, text)
    case .unsupported(let text): results.markUnavailable(key, because: text)
    }
    return true
  }

  /// Prints a progress line, on a terminal only.
  private func printProgress(_ text: String) {
    guard isatty(STDERR_FILENO) == 1 else { return }
    FileHandle.standardError.write(Data("\r\u{1B}[K\(text)".utf8))
  }
}

/// A run of this program with other arguments, until it ends or is terminated.
private struct ChildProcess {
  let output: Data
  let hasTimedOut: Bool

  init(arguments: [String], limit: Int) throws {
    let process = Process()
    process.executableURL =
      Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let identifier = process.processIdentifier
    let timeout = DispatchSource.makeTimerSource()
    timeout.setEventHandler { kill(identifier, SIGKILL) }
    timeout.schedule(deadline: .now() + .seconds(limit))
    timeout.activate()
    output = pipe.fileHandleForReading.readDataToEndOfFile()
    timeout.cancel()
    process.waitUntilExit()
    hasTimedOut =
      process.terminationReason == .uncaughtSignal
      && process.terminationStatus == SIGKILL
  }
}
