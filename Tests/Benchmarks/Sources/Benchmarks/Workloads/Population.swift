/// Creates many timers that are far from due, reschedules them in random order and cancels them.
struct Population {
  let count: Int
  /// The time for repetitions, and the duration of a first cycle after which there are no others.
  private let budget: Int64 = 1_000_000_000
  private let longestFirstCycle: Int64 = 8_000_000_000

  /// The times of a cycle, over all its timers.
  private struct Cycle {
    var create = Stopwatch.Reading()
    var moveLater = Stopwatch.Reading()
    var moveAnywhere = Stopwatch.Reading()
    var cancel = Stopwatch.Reading()
    var heap = 0
    var resident: Int?
    var leftover = 0
  }

  func run<System: TimerSystem>(_ system: System) throws -> Readings {
    let began = Clocks.uptime
    // The first cycle allocates fresh memory: it measures the memory, and the other cycles the
    // time.
    let first = try cycle(system, isFirst: true, isShuffled: false)
    var cycles: [Cycle] = []
    var shuffled: [Cycle] = []
    let end = Clocks.uptime + budget
    let staysAfterCancelling = first.leftover > first.heap / 2
    if !staysAfterCancelling, Clocks.uptime - began < longestFirstCycle {
      repeat {
        cycles.append(try cycle(system, isFirst: false, isShuffled: false))
        shuffled.append(try cycle(system, isFirst: false, isShuffled: true))
      } while Clocks.uptime < end
    } else {
      cycles = [first]
    }

    func average(_ cycles: [Cycle], _ value: (Cycle) -> Int64) -> Double {
      Double(cycles.map(value).reduce(0, +)) / Double(cycles.count * count)
    }
    let all = cycles + shuffled
    var readings: Readings = [
      .caller: average(all, \.create.caller), .create: average(all, \.create.process),
      .cancel: average(cycles, \.cancel.process),
      .lifetime: average(cycles) { $0.create.process + $0.cancel.process },
      .moveLater: average(all, \.moveLater.process),
      .moveAnywhere: average(all, \.moveAnywhere.process),
      .heap: Double(first.heap) / Double(count), .leftover: Double(first.leftover) / Double(count),
    ]
    if !shuffled.isEmpty { readings[.cancelShuffled] = average(shuffled, \.cancel.process) }
    readings[.resident] = first.resident.map { Double($0) / Double(count) }
    return readings
  }

  /// - Parameter isShuffled: Cancels in random order in place of the order of creation.
  private func cycle<System: TimerSystem>(
    _ system: System, isFirst: Bool, isShuffled: Bool
  ) throws -> Cycle {
    var cycle = Cycle()
    let tally = Tally(timers: count)
    var random = SplitMix(seed: UInt64(count))
    // Between 1,000 and 2,000 s: none of them fires.
    let delays = (0..<count).map { _ in
      Int64.random(in: 1_000_000_000_000...2_000_000_000_000, using: &random)
    }
    var timers: [System.Timer] = []
    timers.reserveCapacity(count)
    Stopwatch.waitUntilIdle()
    let heap = Resources.heapBytes
    let resident = isFirst ? Resources.residentBytes : nil

    var stopwatch = Stopwatch()
    for index in 0..<count {
      timers.append(try system.once(after: delays[index], index, tally))
    }
    cycle.create = stopwatch.stop()
    cycle.heap = Resources.heapBytes - heap
    if isFirst, let resident, let now = Resources.residentBytes {
      cycle.resident = now - resident
    }

    let order = (0..<count).shuffled(using: &random)
    stopwatch = Stopwatch()
    for index in order {
      try system.move(&timers[index], after: 2_000_000_000_000, index, tally)
    }
    cycle.moveLater = stopwatch.stop()
    stopwatch = Stopwatch()
    for index in order {
      try system.move(&timers[index], after: delays[index], index, tally)
    }
    cycle.moveAnywhere = stopwatch.stop()

    if isShuffled { timers = order.map { timers[$0] } } else { timers.reverse() }
    stopwatch = Stopwatch()
    while let timer = timers.popLast() { system.cancel(timer) }
    cycle.cancel = stopwatch.stop()
    cycle.leftover = Resources.heapBytes - heap
    return cycle
  }
}

/// A random number generator with the same numbers in every run and for every system.
struct SplitMix: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
