import ArgumentParser
import Dispatch

/// The systems under test, in the order of the report.
enum SystemName: String, CaseIterable, Codable, ExpressibleByArgument {
  case timerkit
  case timerQueue = "timer-queue"
  case inspected, gcd
  case gcdOwnQueues = "gcd-own-queues"
  case asyncAfter = "async-after"
  case foundation
  case task
  case taskInterval = "task-interval"
  case nio
  case nioRepeated = "nio-repeated"
  case asyncAlgorithms = "async-algorithms"
  case handmade
  case go

  var title: String {
    switch self {
    case .timerkit: "TimerKit"
    case .timerQueue: "TimerKit, values in a TimerQueue"
    case .inspected: "TimerKit, with an inspector"
    case .gcd: "DispatchSourceTimer, one queue"
    case .gcdOwnQueues: "DispatchSourceTimer, own queues"
    case .asyncAfter: "DispatchQueue.asyncAfter"
    case .foundation: "Foundation Timer"
    case .task: "Task.sleep"
    case .taskInterval: "Task.sleep for the interval"
    case .nio: "NIO scheduleTask"
    case .nioRepeated: "NIO scheduleRepeatedTask"
    case .asyncAlgorithms: "swift-async-algorithms"
    case .handmade: "Mutex and dictionary"
    case .go: "Go time.AfterFunc"
    }
  }

  /// The system that the others are compared with.
  static let reference = gcd

  /// True for a second way of using a system, which differs only in its ticks.
  var isForPunctualityOnly: Bool { self == .taskInterval || self == .nioRepeated }

  func supports(_ row: Row) -> Bool {
    if row.isOfSequences { return self == .timerkit || self == .asyncAlgorithms }
    if row.isOfLimits { return self == .timerkit || self == .handmade }
    if self == .asyncAlgorithms || self == .handmade { return false }
    if self == .go { return row.isOfGo }
    // It is an event loop of one thread.
    if self == .timerQueue { return row.isOfTimerQueue }
    switch row {
    // Queues and threads are compared where both are the caller's choice. A dispatch source is not `Sendable`.
    case .queues, .threads8: return self == .timerkit || self == .gcd
    case .handOver: return self == .timerkit
    case .late1ms, .late10ms, .late1000x100ms: return true
    // The other systems have no equivalent.
    case .keyed10k, .keyed100k: return self == .timerkit
    default: return !isForPunctualityOnly
    }
  }

  /// Runs a row. Each case names a concrete system, so that the workloads are specialized for each
  /// of them.
  func run(_ row: Row, _ setup: Setup) throws -> Readings {
    switch self {
    case .timerkit where row.isOfSequences: try row.run(TimerKitSequences())
    case .timerkit where row.isOfLimits: try row.run(TimerKitLimits())
    case .timerkit where row == .handOver:
      try Threads.handOver(TimerKitSystem(queue: DispatchQueue(label: "timers")))
    case .timerkit where row.isOfThreads: try row.runOnThreads { TimerKitSystem(queue: $0) }
    case .timerkit: try row.run(TimerKitSystem(), setup)
    case .timerQueue: try row.run(TimerQueueSystem(), setup)
    case .inspected: try row.run(TimerKitSystem.inspected(), setup)
    case .gcd where row.isOfThreads: try row.runOnThreads { DispatchSourceSystem(queue: $0) }
    case .gcd: try row.run(DispatchSourceSystem(ownQueues: false), setup)
    case .gcdOwnQueues: try row.run(DispatchSourceSystem(ownQueues: true), setup)
    case .asyncAfter: try row.run(AsyncAfterSystem(), setup)
    case .foundation: try row.run(FoundationTimerSystem(), setup)
    case .task: try row.run(TaskSleepSystem(), setup)
    case .taskInterval: try row.run(TaskSleepSystem(sleepsForIntervals: true), setup)
    case .nio: try row.run(NIOSystem(), setup)
    case .nioRepeated: try row.run(NIOSystem(repeats: true), setup)
    case .asyncAlgorithms: try row.run(AsyncAlgorithmsSequences())
    case .handmade: try row.run(HandmadeLimits())
    // ``GoProgram`` takes its samples.
    case .go: throw Failure.unsupported("not in this process")
    }
  }
}
