import Dispatch
import Synchronization

/// Counts fires and sums the numbers of the timers, to check that every timer fired exactly as often as
/// expected.
final class Tally: Sendable {
  private let timers: Int
  private let expected: Int
  /// The count in the upper 24 bits and the sum in the lower 40: one addition for both keeps the cost of
  /// counting minimal for all systems.
  private let packed = Atomic<UInt64>(0)
  private let completion = Atomic<Int64>(0)
  private let semaphore = DispatchSemaphore(value: 0)

  private static let sumBits: UInt64 = 40

  /// - Parameters:
  ///   - timers: The number of timers, which are numbered from 0.
  ///   - fires: The expected number of fires of each.
  init(timers: Int, fires: Int = 1) {
    self.timers = timers
    expected = timers * fires
    precondition(expected < 1 << 24 && expected * timers / 2 < 1 << Self.sumBits)
  }

  func add(_ timer: Int) {
    let fire = 1 << Self.sumBits | UInt64(timer)
    let count = packed.wrappingAdd(fire, ordering: .relaxed).newValue >> Self.sumBits
    if count == expected {
      completion.store(Clocks.uptime, ordering: .releasing)
      semaphore.signal()
      // Wakes the main run loop, if a caller waits in it.
      DispatchQueue.main.async {}
    }
  }

  var count: Int { Int(packed.load(ordering: .relaxed) >> Self.sumBits) }

  var isComplete: Bool { count >= expected }

  /// The time of the last fire, on the uptime clock.
  var completedAt: Int64 { completion.load(ordering: .acquiring) }

  /// Waits for the last fire, or until `instant` on the uptime clock.
  func wait(until instant: Int64) {
    _ = semaphore.wait(timeout: DispatchTime(uptimeNanoseconds: UInt64(instant)))
  }

  /// The number of fires of every timer, if it is the same for all.
  var rounds: Int? {
    let packed = packed.load(ordering: .acquiring)
    let (count, sum) = (Int(packed >> Self.sumBits), Int(packed & (1 << Self.sumBits - 1)))
    let rounds = count / timers
    let isWhole = count == rounds * timers && sum == rounds * (timers * (timers - 1) / 2)
    return isWhole ? rounds : nil
  }

  /// Throws if a timer fired too often or not at all.
  func check() throws {
    guard count == expected, rounds != nil else {
      throw Failure.wrongChecksum("\(count) fires of \(expected), or not by all")
    }
  }
}

enum Failure: Error, CustomStringConvertible {
  /// The counts differ from the expected ones.
  case wrongChecksum(String)
  /// The timers were due before all of them were created.
  case notReadyInTime
  /// The system does not support this workload.
  case unsupported(String)

  var description: String {
    switch self {
    case .wrongChecksum(let text): "wrong checksum: \(text)"
    case .notReadyInTime: "not ready in time"
    case .unsupported(let text): text
    }
  }
}
