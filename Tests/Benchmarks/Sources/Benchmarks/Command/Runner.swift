import Foundation

/// Takes the samples of a plan in sequence, each in its own process.
struct Runner {
  /// The time limit of a sample, in seconds.
  let limit: Int
  /// The program in Go; `nil` without a compiler.
  private let goProgram: URL?

  init(limit: Int, needsGo: Bool) {
    self.limit = limit
    goProgram = needsGo ? GoProgram.build() : nil
  }

  /// Takes all samples of each row in turn.
  /// - Parameter report: Called with each row as soon as its samples are taken.
  func run(
    _ plan: Plan, into results: inout Results, report: (Row, Results) -> Void
  ) throws {
    var progress = Progress(sampleCount: plan.sampleCount)
    var leads: [Results.Key: Int64] = [:]
    for row in plan.rows {
      let systems = plan.systems(of: row)
      for round in 0..<plan.runs {
        for count in plan.counts(of: row) {
          // The first system changes with each round, so that none always follows the same system.
          for turn in systems.indices {
            let system = systems[(turn + round) % systems.count]
            let key = Results.Key(row: row, system: system, count: count)
            let size = row.isSized ? " \(Size.text(count))" : ""
            progress.show("\(row)\(size), \(system.title), run \(round + 1) of \(plan.runs)")
            if results.reason(for: key) == nil {
              var lead = leads[key] ?? 1
              while !(try take(key, lead: lead, round: round, into: &results)) { lead *= 2 }
              leads[key] = lead
            }
            progress.samplesTaken += 1
          }
        }
      }
      progress.clear()
      report(row, results)
    }
  }

  /// Returns false if the sample must be repeated with more lead time.
  private func take(
    _ key: Results.Key, lead: Int64, round: Int, into results: inout Results
  ) throws -> Bool {
    let program = key.system == .go ? goProgram : ownExecutable
    guard let program else {
      results.markUnavailable(key, because: "no Go")
      return true
    }
    let child = try ChildProcess(
      program,
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
}

private let ownExecutable =
  Bundle.main.executableURL ?? URL(fileURLWithPath: CommandLine.arguments[0])

/// The program that takes the samples of ``SystemName/go``.
private enum GoProgram {
  /// Compiles the program, beside this one.
  static func build() -> URL? {
    let package = URL(fileURLWithPath: #filePath).pathComponents.dropLast(4).joined(separator: "/")
    let program = ownExecutable.deletingLastPathComponent().appendingPathComponent("go-timers")
    let compiler = Process()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments = ["go", "build", "-o", program.path, "\(package)/Go/main.go"]
    compiler.standardError = FileHandle.nullDevice
    guard (try? compiler.run()) != nil else { return nil }
    compiler.waitUntilExit()
    return compiler.terminationStatus == 0 ? program : nil
  }
}

/// A run of a program, until it ends or is terminated.
private struct ChildProcess {
  let output: Data
  let hasTimedOut: Bool

  init(_ program: URL, arguments: [String], limit: Int) throws {
    let process = Process()
    process.executableURL = program
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
