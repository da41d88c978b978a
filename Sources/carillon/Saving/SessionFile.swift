import Dashboard
import TimerKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A session as its file has it: each timer in the words of the grammar, and how it stood.
struct SessionFile: Codable, Hashable, Sendable {
  static let version = 1

  var version = Self.version
  /// Seconds since 1970 UTC.
  var savedAt: Double
  var timers: [Entry]

  struct Entry: Codable, Hashable, Sendable {
    /// As it would be asked for.
    var timer: String
    var state: TimerState
    /// Seconds to the next fire.
    var left: Double?
    /// Deliveries that are left, where they have an end.
    var iterations: Int?
    /// Of a cycle: which phase of the run it is, from 0.
    var stage: Int?
    /// Seconds that a stopwatch shows.
    var elapsed: Double?
    /// What it showed at each lap.
    var laps: [Double]?
  }

  /// Why a file is no session, for people.
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
          description: "it is of version \(version), and this carillon knows \(Self.version)")
      }
      self = try decoder.decode(SessionFile.self, from: Data(bytes))
    } catch let fault as Fault {
      throw fault
    } catch {
      throw Fault(description: "it is no session of carillon, or not a whole one")
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

  /// The timers, checked: a file can hold anything.
  func savedTimers() throws(Fault) -> [SavedTimer] {
    guard !timers.isEmpty else { return [] }
    let specs: [TimerSpec]
    do {
      // All at once: one may name another.
      specs = try TimerSpec.parse(
        line: timers.map(\.timer).joined(separator: "\n"), in: .trusted)
    } catch {
      throw Fault(description: error.description)
    }
    guard specs.count == timers.count, savedAt.isFinite else {
      throw Fault(description: "an entry of it is not one timer")
    }
    let taken = Moment(wall: WallInstant(nanosecondsSince1970: nanoseconds(savedAt)))
    return zip(specs, timers).map { spec, entry in entry.savedTimer(spec, at: taken) }
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
      state = saved.phase
      elapsed = stopwatch.elapsed.seconds
      laps = stopwatch.laps.map(\.total.seconds)
    case .calls: break
    }
  }

  func savedTimer(_ spec: TimerSpec, at taken: Moment) -> SavedTimer {
    var spec = spec
    // A state that it cannot have had is none.
    let phase = state == .cancelled || state == .executing ? .idle : state
    spec.isPaused = phase == .paused || phase == .idle
    var timer = SavedTimer(startOf: spec, at: taken)
    switch timer.checkpoint {
    case .repeater(var repeater):
      let isPast =
        repeater.configuration.schedule.map { $0.next(after: taken.wall) == nil } ?? false
      let phase = isPast && phase != .idle ? TimerState.finished : phase
      repeater.state = phase
      if repeater.configuration.mode.count != nil {
        let count = min(max(1, iterations ?? 1), 1_000_000_000)
        repeater.remainingIterations = phase == .finished ? 0 : count
      }
      let isWaiting =
        phase == .running || (phase == .paused && repeater.configuration.schedule == nil)
      repeater.timeLeft = isWaiting ? left.map(duration) ?? repeater.timeLeft : nil
      timer.checkpoint = .repeater(repeater)
    case .cycle(var cycle):
      let count = cycle.configuration.phases.count
      let last = cycle.configuration.rounds.map { $0 * count - (count > 1 ? 2 : 1) } ?? .max
      cycle.state = phase
      cycle.phaseNumber = phase == .finished ? last + 1 : min(max(0, stage ?? 0), last)
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

/// Of seconds that may be anything a file can say.
private func nanoseconds(_ seconds: Double) -> Int64 {
  // To the microsecond: beyond that the seconds since 1970 have no digits.
  Int64((min(max(0, seconds.isFinite ? seconds : 0), 5e9) * 1e6).rounded()) * 1000
}

private func duration(_ seconds: Double) -> Duration {
  min(.nanoseconds(nanoseconds(seconds)), DurationText.longest)
}
