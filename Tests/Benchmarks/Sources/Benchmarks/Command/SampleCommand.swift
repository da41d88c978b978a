import ArgumentParser
import Foundation

/// One workload on one system, once: what ``RunCommand`` starts for every sample.
struct SampleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample", abstract: "Take one sample and print it as JSON.")

  @Option(help: "The row.")
  var row: Row

  @Option(help: "The system.")
  var system: SystemName

  @Option(name: [.customShort("n"), .long], help: "The number of timers, where it can be chosen.")
  var size = Size(count: 1)

  @Option(help: "How many times as far ahead as usual deadlines are set.")
  var lead: Int64 = 1

  func run() throws {
    let clockRead = Clocks.costOfReading()
    let outcome: Sample.Outcome
    do {
      outcome = .readings(try system.run(row, Setup(count: size.count, lead: lead)))
    } catch Failure.notReadyInTime {
      outcome = .notReadyInTime
    } catch Failure.wrongChecksum(let text) {
      outcome = .wrongChecksum(text)
    } catch {
      outcome = .unsupported("\(error)")
    }
    let sample = Sample(clockRead: clockRead, outcome: outcome)
    FileHandle.standardOutput.write(try JSONEncoder().encode(sample))
    // Timers that still run are not waited for.
    Self.exit()
  }
}

/// What a sample came to, on its way from the child process to its parent.
struct Sample: Codable {
  var clockRead: Double
  var outcome: Outcome

  enum Outcome: Codable {
    case readings(Readings)
    case notReadyInTime
    case wrongChecksum(String)
    case unsupported(String)
  }
}
