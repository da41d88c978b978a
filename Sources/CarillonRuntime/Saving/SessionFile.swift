import Dispatch
import Platform
import Synchronization
import TimerBoard
import TimerKit

/// The stored form of a session: each timer as text in the grammar, and its state.
struct SessionFile: Encodable, Hashable, Sendable {
  static let version = 2
  /// The versions that can be read. Version 1 had timers alone.
  static let readableVersions = 1...version

  /// The number of timers that one processor checks at a time.
  private static let partSize = 1024

  var version = Self.version
  /// The time of the save, in seconds since 1970 UTC.
  var savedAt: Double
  /// The reading of the continuous clock at the save: the nanoseconds since the boot of the machine.
  var continuousNs: Int64?
  /// The reading of the suspending clock at the save: the same without the time that the machine slept.
  var suspendingNs: Int64?
  /// The identifier of that boot.
  var bootID: String?
  var timers: [Entry]
  /// The newest entries of the log.
  var log: [SavedLogEntry]?
  /// True if bell and notifications are off. Only a hand-over restores it.
  var muted: Bool?
  /// The settings of the board's view that keys have changed.
  var view: SavedView?
  /// The steps that can be undone or redone, for a hand-over.
  var steps: [Step]?

  struct Entry: Encodable, Hashable, Sendable {
    /// The timer in the grammar.
    var timer: String
    var fields: SavedFields
    /// True if the timer has an alert that is not acknowledged.
    var alert: Bool?
    /// True if "pause all" has paused the timer, for a hand-over.
    var pausedTogether: Bool?
    /// The identifier on the board of the owner, in the response to a client.
    var id: Int?
    /// The stretch that has not ended, for the history.
    var stretch: SavedStretch?
    /// The state in chains; `nil` if there is none.
    var chain: ChainState<Int>?

    private enum CodingKeys: CodingKey {
      case timer, alert, pausedTogether, id, stretch, chain
    }

    init(timer: String, fields: SavedFields) {
      self.timer = timer
      self.fields = fields
    }

    init(_ saved: SavedTimer) {
      timer = saved.spec.text
      fields = saved.fields
      if saved.hasAlert { alert = true }
      stretch = saved.stretch
      if saved.chain != ChainState() { chain = saved.chain }
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(timer, forKey: .timer)
      try container.encodeIfPresent(alert, forKey: .alert)
      try container.encodeIfPresent(pausedTogether, forKey: .pausedTogether)
      try container.encodeIfPresent(id, forKey: .id)
      try container.encodeIfPresent(stretch, forKey: .stretch)
      try container.encodeIfPresent(chain, forKey: .chain)
      try fields.encode(to: encoder)
    }
  }

  /// An error in a session file.
  struct Fault: ProgramError {
    var description: String
  }
}

extension SessionFile {
  init(_ timers: [SavedTimer], at wall: WallInstant) {
    savedAt = Double(wall.nanosecondsSince1970) / 1e9
    self.timers = timers.map { Entry($0) }
  }

  init(_ board: Board, for purpose: SavedBoard.Purpose = .session, at now: ClockReading) {
    let saved = board.savedBoard(for: purpose, at: now)
    self.init(saved.timers, at: now.wall)
    continuousNs = now.continuous.nanoseconds
    suspendingNs = now.suspending.nanoseconds
    bootID = SystemBoot.id
    if purpose != .list { log = saved.log }
    if saved.isMuted { muted = true }
    guard purpose == .handOver else { return }
    steps = saved.steps.map { Step($0) }
    for (index, isPaused) in saved.pausedTogether.enumerated() where isPaused {
      timers[index].pausedTogether = true
    }
  }

  /// Returns the board that another process has saved, after checking each of its timers.
  func savedBoard() throws(Fault) -> SavedBoard {
    SavedBoard(
      timers: try savedTimers(),
      pausedTogether: timers.map { $0.pausedTogether ?? false }, log: log ?? [],
      isMuted: muted ?? false, steps: savedSteps)
  }

  /// The file, with the end of its line. An error is a number that is not finite.
  var bytes: [UInt8] {
    get throws {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return Array(try encoder.encode(self)) + [UInt8(ascii: "\n")]
    }
  }

  /// The identifiers of the timers on the board of the owner; `nil` in a saved file.
  var ids: [TimerID?] { timers.map { $0.id.map { TimerID($0) } } }

  /// Returns the timers after checking each of them. The time since the save is measured on the clock of each timer;
  /// for the continuous clock after a restart of the machine, by the time of day.
  func savedTimers(at now: ClockReading) throws(Fault) -> [SavedTimer] {
    var saved = try savedTimers()
    guard let continuousNs, let suspendingNs else { return saved }
    let before = WallInstant(savedSeconds: savedAt)
    // A reading that this boot cannot have had says nothing about the time since the save.
    let isSameBoot =
      bootID != nil && bootID == SystemBoot.id
      && continuousNs >= 0 && continuousNs <= now.continuous.nanoseconds
      && suspendingNs >= 0 && suspendingNs <= now.suspending.nanoseconds
    for index in saved.indices {
      let passed: Duration? =
        switch saved[index].spec.clock {
        case .continuous:
          isSameBoot
            ? .nanoseconds(now.continuous.nanoseconds.subtractingSaturated(continuousNs)) : nil
        // A machine that is off is not awake: after a restart, only the time since then counts.
        case .suspending:
          .nanoseconds(
            now.suspending.nanoseconds.subtractingSaturated(isSameBoot ? suspendingNs : 0))
        case .wall: nil
        }
      if let passed { saved[index].setTime(passed, since: before, at: now.wall) }
    }
    return saved
  }

  /// Returns the timers as they were saved, after checking each of them. Many timers are checked on several processors.
  func savedTimers() throws(Fault) -> [SavedTimer] {
    guard savedAt.isFinite else { throw Fault(description: "invalid time 'savedAt'") }
    let instant = WallInstant(savedSeconds: savedAt)
    let starts = Array(stride(from: 0, to: timers.count, by: Self.partSize))
    let parts = Mutex([Result<[SavedTimer], Fault>?](repeating: nil, count: starts.count))
    DispatchQueue.concurrentPerform(iterations: starts.count) { [timers] index in
      let trial = Trial(at: instant)
      let part = Result { () throws(Fault) in
        var part: [SavedTimer] = []
        for entry in timers[starts[index]...].prefix(Self.partSize) {
          part.append(try trial.timer(of: entry))
        }
        return part
      }
      parts.withLock { $0[index] = part }
    }
    var saved: [SavedTimer] = []
    saved.reserveCapacity(timers.count)
    for part in parts.withLock(\.self) {
      if let part { saved += try part.get() }
    }
    return saved
  }

  /// The steps that can be undone or redone; none if there is an error in them, because the timers matter
  /// more.
  private var savedSteps: [SavedStep] {
    let trial = Trial(at: WallInstant(savedSeconds: savedAt))
    var saved: [SavedStep] = []
    for step in steps ?? [] {
      guard let step = try? step.savedStep(trial.timer) else { return [] }
      saved.append(step)
    }
    return saved
  }

  /// The errors of the timers, each checked separately.
  var entryFaults: [Fault] {
    timers.compactMap { entry -> Fault? in
      do throws(Fault) {
        _ = try SessionFile(savedAt: savedAt, timers: [entry]).savedTimers()
        return nil
      } catch {
        return error
      }
    }
  }

  /// A check that a timer can be created, on clocks that do not advance. The file is rejected if any timer fails.
  private struct Trial {
    let clock: VirtualClock
    let wall: VirtualClock
    let savedAt: ClockReading

    init(at now: WallInstant) {
      savedAt = ClockReading(wall: now)
      clock = VirtualClock(wall: now)
      wall = VirtualClock(.wall, wall: now)
    }

    /// Returns the timer of an entry after checking it.
    func timer(of entry: Entry) throws(Fault) -> SavedTimer {
      let timer = try entry.savedTimer(at: savedAt)
      do throws(RestoreError) {
        _ = try timer.spec.makeTimer(
          restoring: timer.checkpoint,
          clocks: TimerClocks(
            continuous: .virtual(clock), suspending: .virtual(clock), wall: .virtual(wall)),
          queue: nil)
      } catch {
        throw entry.fault("\(error)")
      }
      return timer
    }
  }
}

extension SessionFile: JSONWritable {
  /// Writes the session in a response. No number of a board that runs is not finite.
  func write(to writer: inout JSONWriter) {
    writer.add(json: (try? bytes.dropLast()) ?? Array("null".utf8))
  }
}

extension SessionFile.Entry {
  func fault(_ problem: String) -> SessionFile.Fault {
    SessionFile.Fault(description: "timer '\(timer)': \(problem)")
  }

  func savedTimer(at savedAt: ClockReading) throws(SessionFile.Fault) -> SavedTimer {
    let spec: TimerSpec
    do throws(TimerSyntaxError) {
      // Each entry by itself: words of two entries are never one timer.
      spec = try TimerSpec.parse(timer: timer, in: .trusted)
    } catch {
      throw SessionFile.Fault(description: error.description)
    }
    do throws(SavedFieldError) {
      var saved = try SavedTimer(spec, fields, at: savedAt)
      saved.stretch = stretch
      saved.chain = chain ?? ChainState()
      saved.hasAlert = alert ?? false
      return saved
    } catch {
      throw fault(error.description)
    }
  }
}
