import ArgumentParser
import Dispatch

/// The workloads, each a row of the report that can be run on its own.
enum Row: String, CaseIterable, Codable, ExpressibleByArgument {
  case churn, population, instant, distinct, threads, steady, sparse
  case queues, threads8, handOver
  case late1ms, late10ms, late1000x100ms
  case tolerance
  case debounce, debounce2, debouncers, throttle
  case keyed10k, keyed100k
  case rateLimit, collect
  case sequences, sequenceDebounce, sequenceChunks

  var title: String {
    switch self {
    case .churn: "Create, start, cancel and release, one timer at a time"
    case .population: "A population of timers: all alive together"
    case .instant: "Fire: all at one instant"
    case .distinct: "Fire: distinct deadlines within 0.9 ms"
    case .threads: "Threads while all fire at one instant"
    case .steady: "Tick: 1,000 timers every 50 ms, at one instant"
    case .sparse: "Tick: 150 timers that tick one by one, 432 times a second"
    case .queues: "1,000 queues with one timer each: create, start, cancel and release"
    case .threads8: "Eight threads create, start, cancel and release on one queue"
    case .handOver: "One thread creates and starts, another cancels and releases"
    case .late1ms: "Punctuality: one timer every 1 ms"
    case .late10ms: "Punctuality: one timer every 10 ms"
    case .late1000x100ms: "Punctuality: 1,000 timers every 100 ms, spread"
    case .tolerance: "Context switches a second: 100 timers at 1 Hz, spread, tolerance 500 ms"
    case .debounce: "Debounce: calls from one thread"
    case .debounce2: "Debounce: calls from two threads on one debouncer"
    case .debouncers: "A population of debouncers"
    case .throttle: "Throttle: dropped calls"
    case .keyed10k: "Keyed limiters with 10,000 keys"
    case .keyed100k: "Keyed limiters with 100,000 keys"
    case .rateLimit: "Rate limits of 100,000 keys"
    case .collect: "Values collected in arrays of 100"
    case .sequences: "AsyncSequence: the ticks of 1,000, every 50 ms"
    case .sequenceDebounce: "AsyncSequence: debounced elements"
    case .sequenceChunks: "AsyncSequence: elements in arrays of 100"
    }
  }

  /// A Boolean value that indicates whether the row runs with different numbers of timers.
  var isSized: Bool {
    switch self {
    case .population, .instant, .distinct, .threads, .debouncers: true
    default: false
    }
  }

  /// A Boolean value that indicates whether the row uses several queues or threads.
  var isOfThreads: Bool { self == .queues || self == .threads8 || self == .handOver }

  /// A Boolean value that indicates whether the program in Go has the row.
  var isOfGo: Bool {
    switch self {
    case .churn, .population, .instant, .distinct, .steady, .sparse, .threads8, .handOver: true
    default: false
    }
  }

  /// A Boolean value that indicates whether values in a queue have the row.
  var isOfTimerQueue: Bool {
    switch self {
    case .churn, .population, .instant, .distinct: true
    default: false
    }
  }

  /// A Boolean value that indicates whether the row compares asynchronous sequences.
  var isOfSequences: Bool {
    self == .sequences || self == .sequenceDebounce || self == .sequenceChunks
  }

  /// A Boolean value that indicates whether the row compares rate limits and collectors.
  var isOfLimits: Bool { self == .rateLimit || self == .collect }

  func run(_ system: some TimerSystem, _ setup: Setup) throws -> Readings {
    switch self {
    case .churn: try Churn().run(system)
    case .population: try Population(count: setup.count).run(system)
    case .instant: try Firing(setup, spread: 0).run(system)
    case .distinct: try Firing(setup, spread: 900_000).run(system)
    case .threads: try Firing(setup, spread: 0).countThreads(system)
    case .steady: try Steady().run(system)
    case .sparse: try Sparse().run(system)
    case .late1ms: try Punctuality(count: 1, interval: 1_000_000, lasting: 4).run(system)
    case .late10ms: try Punctuality(count: 1, interval: 10_000_000, lasting: 8).run(system)
    case .late1000x100ms:
      try Punctuality(count: 1000, interval: 100_000_000, lasting: 5).run(system)
    case .tolerance: try Tolerance().run(system)
    case .debounce: try Debounce(threads: 1).run(system)
    case .debounce2: try Debounce(threads: 2).run(system)
    case .debouncers: try DebouncerPopulation(count: setup.count).run(system)
    case .throttle: try Throttle().run(system)
    case .keyed10k: try Keyed(count: 10_000).run()
    case .keyed100k: try Keyed(count: 100_000).run()
    case .queues, .threads8, .handOver: throw Failure.unsupported("queues and threads only")
    case .rateLimit, .collect: throw Failure.unsupported("limits only")
    case .sequences, .sequenceDebounce, .sequenceChunks:
      throw Failure.unsupported("no asynchronous sequences")
    }
  }

  func runOnThreads<System: TimerSystem & Sendable>(
    _ make: (DispatchQueue) -> System
  ) throws -> Readings {
    switch self {
    case .queues: try Threads.onQueues((0..<1_000).map { make(DispatchQueue(label: "\($0)")) })
    default: try Threads.together(8, make(DispatchQueue(label: "timers")))
    }
  }

  func run(_ system: some SequenceSystem) throws -> Readings {
    switch self {
    case .sequences: try SequenceTicks().run(system)
    case .sequenceDebounce: try SequenceDebounce().run(system)
    case .sequenceChunks: try SequenceChunks().run(system)
    default: throw Failure.unsupported("asynchronous sequences only")
    }
  }

  func run(_ system: some LimitSystem) throws -> Readings {
    switch self {
    case .rateLimit: try RateLimit().run(system)
    case .collect: try Collect().run(system)
    default: throw Failure.unsupported("limits only")
    }
  }
}

/// The parameters of a row.
struct Setup {
  var count: Int
  /// The factor by which deadlines are later than usual.
  var lead: Int64
}
