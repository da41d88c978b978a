import Platform
import TimerBoard
import TimerKit

/// A session as it is stored: each timer in the words of the grammar, and its state.
struct SessionFile: Codable, Hashable, Sendable {
  static let version = 1

  var version = Self.version
  /// Seconds since 1970 UTC.
  var savedAt: Double
  var timers: [Entry]

  struct Entry: Codable, Hashable, Sendable {
    /// The timer as one types it.
    var timer: String
    var state: TimerState
    /// The seconds until the next fire.
    var left: Double?
    /// The iterations left, of a timer with an end.
    var iterations: Int?
    /// The number of a cycle's phase within the run, from 0.
    var stage: Int?
    /// The seconds that a stopwatch shows.
    var elapsed: Double?
    /// The seconds that it showed at each lap.
    var laps: [Double]?
  }

  /// The reason why a file is not a session.
  struct Fault: Error, CustomStringConvertible {
    var description: String
  }
}

extension SessionFile {
  init(_ timers: [SavedTimer], at wall: WallInstant) {
    savedAt = Double(wall.nanosecondsSince1970) / 1e9
    self.timers = timers.map { Entry($0) }
  }

  init(_ bytes: [UInt8]) throws(Fault) {
    do {
      let decoder = JSONDecoder()
      let version = try decoder.decode(Version.self, from: Data(bytes)).version
      guard version == Self.version else {
        throw Fault(
          description: "unsupported version '\(version)' (expected \(Self.version))")
      }
      self = try decoder.decode(SessionFile.self, from: Data(bytes))
    } catch let fault as Fault {
      throw fault
    } catch {
      throw Fault(description: "not a complete session file")
    }
  }

  private struct Version: Codable {
    var version: Int
  }

  var bytes: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
      return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
  }

  /// The timers, each checked, since a file can hold anything.
  func savedTimers() throws(Fault) -> [SavedTimer] {
    guard !timers.isEmpty else { return [] }
    let specs: [TimerSpec]
    do {
      // All together: one may name another.
      specs = try TimerSpec.parse(
        line: timers.map(\.timer).joined(separator: "\n"), in: .trusted)
    } catch {
      throw Fault(description: error.description)
    }
    guard specs.count == timers.count, savedAt.isFinite else {
      throw Fault(description: "invalid entry (expected one timer each)")
    }
    let taken = ClockReading(wall: WallInstant(nanosecondsSince1970: nanosecondsSince1970(savedAt)))
    let trial = Trial(at: taken.wall)
    var saved: [SavedTimer] = []
    saved.reserveCapacity(timers.count)
    for (spec, entry) in zip(specs, timers) {
      let timer = try entry.savedTimer(spec, at: taken)
      try trial.check(timer, entry)
      saved.append(timer)
    }
    return saved
  }

  /// The faults of the timers, each checked by itself.
  var faults: [Fault] {
    timers.compactMap { entry -> Fault? in
      do throws(Fault) {
        _ = try SessionFile(savedAt: savedAt, timers: [entry]).savedTimers()
        return nil
      } catch {
        return error
      }
    }
  }

  /// Clocks that stand still: each timer is created on them once, so that one that cannot be created is
  /// found while its file can still be refused.
  private struct Trial {
    let clock: VirtualClock
    let wall: VirtualClock

    init(at now: WallInstant) {
      clock = VirtualClock(wall: now)
      wall = VirtualClock(.wall, wall: now)
    }

    func check(_ timer: SavedTimer, _ entry: Entry) throws(Fault) {
      do throws(RestoreError) {
        _ = try timer.spec.makeTimer(
          restoring: timer.checkpoint, clock: .virtual(clock), wall: .virtual(wall), queue: nil)
      } catch {
        throw entry.fault("\(error)")
      }
    }
  }
}

extension SessionFile.Entry {
  init(_ saved: SavedTimer) {
    timer = saved.spec.text
    state = .idle
    switch saved.checkpoint {
    case .repeater(let repeater):
      state = repeater.state
      left = repeater.timeLeft?.seconds
      iterations = repeater.remainingIterations
    case .cycle(let cycle):
      state = cycle.state
      left = cycle.timeLeft?.seconds
      stage = cycle.phaseNumber
    case .stopwatch(let stopwatch):
      state = saved.state
      elapsed = stopwatch.elapsed.seconds
      laps = stopwatch.laps.map(\.total.seconds)
    case .calls: break
    }
  }

  func fault(_ problem: String) -> SessionFile.Fault {
    SessionFile.Fault(description: "timer '\(timer)': \(problem)")
  }

  func savedTimer(
    _ spec: TimerSpec, at taken: ClockReading
  ) throws(SessionFile.Fault) -> SavedTimer {
    var spec = spec
    // A timer is never saved in these states.
    let phase = state == .cancelled || state == .executing ? .idle : state
    spec.isPaused = phase == .paused || phase == .idle
    var timer = SavedTimer(startOf: spec, at: taken)
    switch timer.checkpoint {
    case .repeater(var repeater):
      repeater.state = phase
      if repeater.configuration.mode.count != nil {
        let count = min(max(1, iterations ?? 1), 1_000_000_000)
        repeater.remainingIterations = phase == .finished ? 0 : count
      }
      if let schedule = repeater.configuration.schedule {
        // Of the time left only zero counts: the timer was due. So is a date that has passed in this
        // time zone.
        let isDue = left == 0 || schedule.next(after: taken.wall) == nil
        repeater.timeLeft = phase == .running ? isDue ? .zero : repeater.timeLeft : nil
      } else {
        let isWaiting = phase == .running || phase == .paused
        repeater.timeLeft = isWaiting ? left.map(duration) ?? repeater.timeLeft : nil
      }
      timer.checkpoint = .repeater(repeater)
    case .cycle(var cycle):
      let count = cycle.configuration.phases.count
      let phases = cycle.configuration.rounds.map { $0 * count - (count > 1 ? 1 : 0) }
      if phase == .finished, phases == nil {
        throw fault("invalid state 'finished' (the cycle has no end)")
      }
      let most = phases ?? Self.mostStages
      let stage = stage ?? 0
      guard phase == .finished || (0..<most).contains(stage) else {
        throw fault("invalid stage '\(stage)' (expected 0 to \(most - 1))")
      }
      cycle.state = phase
      cycle.phaseNumber = phase == .finished ? most : stage
      cycle.timeLeft =
        phase == .running || phase == .paused
        ? left.map(duration) ?? cycle.configuration.phases[cycle.phaseNumber % count].duration : nil
      timer.checkpoint = .cycle(cycle)
    case .stopwatch(var stopwatch):
      stopwatch.state =
        phase == .running ? .running : phase == .paused ? .paused : .idle
      stopwatch.elapsed = phase == .idle ? .zero : duration(elapsed ?? 0)
      stopwatch.laps = phase == .idle ? [] : Self.laps(at: (laps ?? []).map(duration))
      timer.checkpoint = .stopwatch(stopwatch)
    case .calls: timer.spec.isPaused = false
    }
    return timer
  }

  /// The limit for an endless cycle: with phases of a millisecond each that is 30,000 years.
  private static let mostStages = 1_000_000_000_000_000

  private static func laps(at totals: [Duration]) -> [Stopwatch.Lap] {
    var before = Duration.zero
    return totals.enumerated().map { index, total in
      defer { before = max(before, total) }
      return Stopwatch.Lap(number: index + 1, time: max(.zero, total - before), total: total)
    }
  }
}

extension Duration {
  fileprivate var seconds: Double { Double(clampedNanoseconds) / 1e9 }
}

/// The largest number of seconds since 1970 that nanoseconds can hold: the years 1677 to 2262.
private let farthest = 9_223_372_036.0

/// Converts seconds, which may be any number that a file can hold.
private func nanosecondsSince1970(_ seconds: Double) -> Int64 {
  // Rounded to microseconds: a Double has no more digits for seconds since 1970.
  Int64((min(max(-farthest, seconds.isFinite ? seconds : 0), farthest) * 1e6).rounded()) * 1000
}

private func duration(_ seconds: Double) -> Duration {
  min(.nanoseconds(max(0, nanosecondsSince1970(seconds))), DurationText.longest)
}
