/// A measure of a workload. The order is that of the report.
enum Measure: String, CaseIterable, Codable {
  // Costs, in nanoseconds of CPU per timer, call, fire or tick; `wall` and `call` are clock times.
  case caller, cpu, wall, create, cancel, cancelShuffled, lifetime, moveLater, moveAnywhere,
    firstCall, nextCall, call
  // Memory, in bytes per timer or call.
  case heap, resident, leftover, idle, armed, growth
  // Punctuality, and operations on all keys, in microseconds.
  case median, p99, max, drift, callTail, flushAll, deliverAll, cancelAll
  // Numbers.
  case missed, reported, switches, threads

  enum Unit: String, Codable {
    case nanoseconds = "ns"
    case bytes = "B"
    case microseconds = "µs"
    case number = ""
  }

  var unit: Unit {
    switch self {
    case .caller, .cpu, .wall, .create, .cancel, .cancelShuffled, .lifetime, .moveLater,
      .moveAnywhere, .firstCall, .nextCall, .call:
      .nanoseconds
    case .heap, .resident, .leftover, .idle, .armed, .growth: .bytes
    case .median, .p99, .max, .drift, .callTail, .flushAll, .deliverAll, .cancelAll: .microseconds
    case .missed, .reported, .switches, .threads: .number
    }
  }

  /// A Boolean value that indicates whether a ratio to another system is meaningful.
  var hasRatios: Bool {
    switch self {
    case .drift, .missed, .reported, .growth, .leftover: false
    default: true
    }
  }

  var title: String {
    switch self {
    case .caller: "the caller's CPU"
    case .cpu: "CPU"
    case .wall: "from the first to the last, each"
    case .create: "create and start"
    case .cancel: "cancel and release"
    case .cancelShuffled: "cancel and release in random order"
    case .lifetime: "all four"
    case .moveLater: "re-arm later"
    case .moveAnywhere: "re-arm anywhere"
    case .firstCall: "first call of a key"
    case .nextCall: "another call of a key"
    case .call: "a call"
    case .heap: "heap"
    case .resident: "resident"
    case .leftover: "heap left after cancelling"
    case .idle: "idle"
    case .armed: "armed"
    case .growth: "heap growth a call"
    case .median: "late, p50"
    case .p99: "late, p99"
    case .max: "late, max"
    case .drift: "drift"
    case .callTail: "a call, p99.9"
    case .flushAll: "flush()"
    case .deliverAll: "flush(), until all is delivered"
    case .cancelAll: "cancelPending()"
    case .missed: "missed, unreported"
    case .reported: "missed, reported"
    case .switches: "switches"
    case .threads: "threads"
    }
  }
}

/// The readings of one run of a workload.
typealias Readings = [Measure: Double]
