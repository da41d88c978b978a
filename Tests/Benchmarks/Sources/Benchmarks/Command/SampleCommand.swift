import ArgumentParser
import Foundation

/// One workload on one system, once: ``RunCommand`` runs it for every sample.
struct SampleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sample", abstract: "Take one sample and print it as JSON.")

  @Option(help: "The row.")
  var row: Row

  @Option(help: "The system.")
  var system: SystemName

  @Option(name: [.customShort("n"), .long], help: "The number of timers, if the row allows it.")
  var size = Size(count: 1)

  @Option(help: "The factor by which deadlines are later than usual.")
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
    // Timers that still run are ignored.
    Self.exit()
  }
}

/// The result of a sample, which the child process sends to its parent.
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
