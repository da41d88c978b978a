import Dispatch
import Synchronization

/// Counts fires, and adds up who fired: the proof that every timer did, and none twice.
final class Tally: Sendable {
  private let timers: Int
  private let expected: Int
  /// The count in the upper 24 bits, the sum in the lower 40: one addition for both, so that all
  /// systems pay the least for being counted.
  private let packed = Atomic<UInt64>(0)
  private let completion = Atomic<Int64>(0)
  private let semaphore = DispatchSemaphore(value: 0)

  private static let sumBits: UInt64 = 40

  /// - Parameters:
  ///   - timers: they are numbered from 0.
  ///   - fires: how often each is to fire.
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
      // Ends a drain of the main run loop, where somebody waits in it.
      DispatchQueue.main.async {}
    }
  }

  var count: Int { Int(packed.load(ordering: .relaxed) >> Self.sumBits) }

  var isComplete: Bool { count >= expected }

  /// When the last one fired, on the uptime clock.
  var completedAt: Int64 { completion.load(ordering: .acquiring) }

  /// Waits for the last fire, or for `instant` on the uptime clock.
  func wait(until instant: Int64) {
    _ = semaphore.wait(timeout: DispatchTime(uptimeNanoseconds: UInt64(instant)))
  }

  /// How often every timer has fired, if all have as often.
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
  /// What was counted is not what must have happened.
  case wrongChecksum(String)
  /// The timers were due before all of them were made.
  case notReadyInTime
  /// The system cannot do this at all.
  case unsupported(String)

  var description: String {
    switch self {
    case .wrongChecksum(let text): "wrong checksum: \(text)"
    case .notReadyInTime: "not ready in time"
    case .unsupported(let text): text
    }
  }
}
