import Dispatch
import Synchronization

/// Reads the ticks of many asynchronous sequences, each in its own task.
struct SequenceTicks {
  private let count = 1_000
  private let ticks: Int64 = 40
  private let warmUp: Int64 = 4
  private let interval: Int64 = 50_000_000

  func run(_ system: some SequenceSystem) throws -> Readings {
    let board = Board()
    Stopwatch.waitUntilIdle()
    let heap = Resources.heapBytes
    let first = Clocks.uptime + interval
    let tasks = (0..<count).map { _ in
      Task { [interval] in
        try await system.read(every: interval) { missed in
          board.served.add(1 + missed, ordering: .relaxed)
          return true
        }
      }
    }
    // The measurement starts and ends between two ticks.
    let began = pause(until: first + warmUp * interval + interval / 2, board)
    let used = Resources.heapBytes - heap
    let ended = pause(until: first + (warmUp + ticks) * interval + interval / 2, board)
    for task in tasks { task.cancel() }

    let served = ended.served - began.served
    guard abs(served - count * Int(ticks)) <= count else {
      throw Failure.wrongChecksum(
        "\(served) ticks of \(count) sequences, \(ticks) of each expected")
    }
    return [
      .cpu: Double(ended.cpu - began.cpu) / Double(served), .heap: Double(used) / Double(count),
    ]
  }

  private final class Board: Sendable {
    let served = Atomic(0)
  }

  private func pause(until instant: Int64, _ board: Board) -> (cpu: Int64, served: Int) {
    sleep(nanoseconds: instant - Clocks.uptime)
    return (Clocks.processCPU, board.served.load(ordering: .relaxed))
  }
}

/// Debounces the elements of a sequence without delays, of which only the last is delivered.
struct SequenceDebounce {
  private let count = 200_000
  private let quiet: Int64 = 1_000_000_000

  func run(_ system: some SequenceSystem) throws -> Readings {
    _ = try elements(count / 10, system)
    Stopwatch.waitUntilIdle()
    let stopwatch = Stopwatch()
    let elements = try elements(count, system)
    let reading = stopwatch.stop()
    guard elements == [count - 1] else {
      throw Failure.wrongChecksum("\(elements.count) elements, the last \(elements.last ?? -1)")
    }
    return [.cpu: Double(reading.process) / Double(count)]
  }

  private func elements(_ count: Int, _ system: some SequenceSystem) throws -> [Int] {
    let result = Mailbox()
    Task { [quiet] in
      await result.fill { try await system.debounce(Numbers(bound: count), quiet: quiet) }
    }
    return try result.wait()
  }
}

/// Collects the elements of a sequence without delays in arrays of 100.
struct SequenceChunks {
  private let count = 200_000
  private let size = 100

  func run(_ system: some SequenceSystem) throws -> Readings {
    _ = try chunks(count / 10, system)
    Stopwatch.waitUntilIdle()
    let stopwatch = Stopwatch()
    let chunks = try chunks(count, system)
    let reading = stopwatch.stop()
    guard chunks.reduce(0, +) == count, chunks.allSatisfy({ $0 <= size }) else {
      throw Failure.wrongChecksum("\(chunks.reduce(0, +)) elements in \(chunks.count) arrays")
    }
    return [.cpu: Double(reading.process) / Double(count)]
  }

  /// - Returns: The numbers of elements in the arrays.
  private func chunks(_ count: Int, _ system: some SequenceSystem) throws -> [Int] {
    let result = Mailbox()
    Task { [size] in
      await result.fill { try await system.chunk(Numbers(bound: count), size: size) }
    }
    return try result.wait()
  }
}

/// Lets the main thread wait for a task that reads a sequence.
private final class Mailbox: Sendable {
  private let elements = Mutex(Result<[Int], any Error>.success([]))
  private let isFilled = DispatchSemaphore(value: 0)

  func fill(_ body: () async throws -> [Int]) async {
    let result: Result<[Int], any Error>
    do { result = .success(try await body()) } catch { result = .failure(error) }
    elements.withLock { $0 = result }
    isFilled.signal()
  }

  func wait() throws -> [Int] {
    isFilled.wait()
    return try elements.withLock { $0 }.get()
  }
}
