import CHeap
import Foundation
import Synchronization

/// Samples the heap size. Memory is flat if the last third of the run is not higher than the second, when
/// logs have reached their full length.
final class MemoryGauge: Sendable {
  private let readings = Mutex<[Int]>([])

  func read() { readings.withLock { $0.append(Int(heap_bytes_in_use())) } }

  var progress: String { "\((readings.withLock { $0.last } ?? 0) >> 20) MiB" }

  private var thirds: (second: Int, third: Int)? {
    let readings = readings.withLock { $0 }
    let length = readings.count / 3
    guard length > 0 else { return nil }
    func median(_ part: ArraySlice<Int>) -> Int { part.sorted()[part.count / 2] }
    return (median(readings[length..<2 * length]), median(readings[(2 * length)...]))
  }

  var isFlat: Bool { thirds.map { $0.third <= $0.second + $0.second / 20 } ?? true }

  var growth: String {
    thirds.map { "\($0.second >> 20) MiB, then \($0.third >> 20) MiB" } ?? "too short to tell"
  }
}
