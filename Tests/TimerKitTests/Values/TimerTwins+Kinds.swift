import Fuzzing

@testable import TimerKit

/// A control that all kinds have which start and pause.
enum TwinControl: Sendable {
  case start, pause, reset, restart
  case restore(RestorePolicy)

  init(_ random: inout SplitMix) {
    self =
      switch random.below(9) {
      case 0...2: .start
      case 3...4: .pause
      case 5: .reset
      case 6: .restart
      case 7: .restore(.catchUp)
      default: .restore(.keepTimeLeft)
      }
  }

  /// Performs a control that is no restoration.
  func perform<Timer: PausableTimer, Value: PausableTimerValue>(
    on timer: Timer, _ value: inout Value, at now: TimerClock.Instant
  ) -> (live: String, value: String) {
    switch self {
    case .start: ("\(timer.start())", "\(value.start(at: now))")
    case .pause: ("\(timer.pause())", "\(value.pause(at: now))")
    case .reset: ("\(timer.reset())", "\(value.reset(at: now))")
    case .restart: ("\(timer.restart())", "\(value.restart(at: now))")
    case .restore: ("", "")
    }
  }
}

struct RepeaterTwins: TimerTwins {
  enum Control: Sendable {
    case common(TwinControl)
    case restartEvery(Int)
    case setInterval(Int, Repeater.IntervalStart)
    case adjust(Int)
    case setRemaining(Int)
    case fire(pausing: Bool)
  }

  struct Setup: Sendable {
    var configuration: Repeater.Configuration
    var kind: TimerClock.Kind
  }

  let clock: VirtualClock
  let handler: @Sendable (Repeater.Tick) -> Void
  var live: Repeater
  var value: Repeater.Value
  private let drawsSeed: Bool
  private var seed: UInt64

  static func setup(_ random: inout SplitMix) -> Setup {
    let mode: Repeater.Mode = random.below(3) == 0 ? .infinite : .finite(1 + random.below(8))
    let missedTicks = random.one(of: [
      .skip, .delay, Repeater.MissedTicks.burst(limit: 1 + random.below(4)),
    ])
    let schedule =
      random.below(4) == 0
      ? try? WallSchedule(
        cron: random.one(of: ["*/30 * * * *", "0 2,3 * * *", "0 9 * * 1-5", "15 */2 * * *"]),
        timeZone: try? TimeZoneRules("Europe/Berlin")) : nil
    let unit: Duration = schedule == nil ? .nanoseconds(1) : .minutes(13)
    let jitter = random.below(3) == 0 ? unit * random.below(12) : nil
    let tolerance = unit * max(0, random.below(20) - 10)
    if let schedule {
      return Setup(
        configuration: Repeater.Configuration(
          .schedule(schedule), mode: mode, tolerance: tolerance, missedTicks: missedTicks,
          jitter: jitter),
        kind: .wall)
    }
    let interval = max(mode == .once ? 0 : 1, random.below(14))
    return Setup(
      configuration: Repeater.Configuration(
        .interval(unit * interval), mode: mode,
        startingAfter: random.below(3) == 0 ? unit * random.below(12) : nil, tolerance: tolerance,
        missedTicks: missedTicks, jitter: jitter),
      kind: random.one(of: TimerClock.Kind.allCases))
  }

  static func clock(of setup: Setup) -> (kind: TimerClock.Kind, unit: Duration) {
    (setup.kind, setup.configuration.schedule == nil ? .nanoseconds(1) : .minutes(13))
  }

  static func control(_ random: inout SplitMix) -> Control {
    switch random.below(16) {
    case 0...8: .common(TwinControl(&random))
    case 9: .restartEvery(random.below(12))
    case 10...11:
      .setInterval(random.below(12), random.one(of: [.fromNow, .fromLastFire, .fromNextFire]))
    case 12: .adjust(random.below(30) - 15)
    case 13: .setRemaining(random.below(6))
    default: .fire(pausing: random.below(4) == 0)
    }
  }

  init(
    _ setup: Setup, on clock: VirtualClock, seed: UInt64,
    handler: @escaping @Sendable (Repeater.Tick) -> Void
  ) throws {
    self.clock = clock
    self.handler = handler
    let configuration = setup.configuration
    drawsSeed = configuration.startDelay != nil || configuration.jitter ?? .zero > .zero
    live = try Repeater(configuration, clock: .virtual(clock)) { handler($1) }
    // A virtual clock uses up a seed for each timer that needs one.
    self.seed = seed &+ (drawsSeed ? 1 : 0)
    value = try Repeater.Value(configuration, clock: .virtual(clock), seed: self.seed)
  }

  mutating func perform(_ control: Control) throws -> (live: String, value: String) {
    let now = clock.now
    switch control {
    case .common(.restore(let policy)):
      let checkpoints = (live.checkpoint, value.checkpoint(at: now, wall: clock.wallNow))
      guard checkpoints.0 == checkpoints.1 else { return ("\(checkpoints.0)", "\(checkpoints.1)") }
      if drawsSeed { seed &+= 1 }
      guard let restored = try? restored(from: checkpoints.0, policy) else {
        let copy = try? Repeater.Value(
          restoring: checkpoints.1, policy: policy, clock: .virtual(clock), at: now,
          wall: clock.wallNow)
        return ("not restored", copy == nil ? "not restored" : "restored")
      }
      live.cancel()
      live = restored
      value = try Repeater.Value(
        restoring: checkpoints.1, policy: policy, clock: .virtual(clock), at: now,
        wall: clock.wallNow, seed: seed)
      return ("restored", "restored")
    case .common(let control): return control.perform(on: live, &value, at: now)
    case .restartEvery(let interval):
      let interval = Duration.nanoseconds(interval)
      return ("\(live.restart(every: interval))", "\(value.restart(every: interval, at: now))")
    case .setInterval(let interval, let start):
      let interval = Duration.nanoseconds(interval)
      return (
        "\(live.setInterval(interval, counting: start))",
        "\(value.setInterval(interval, counting: start, at: now))"
      )
    case .adjust(let change):
      let change = Duration.nanoseconds(change)
      return (
        "\(live.adjustTimeLeft(by: change))", "\(value.adjustTimeLeft(by: change, at: now))"
      )
    case .setRemaining(let count):
      return ("\(live.setRemainingIterations(count))", "\(value.setRemainingIterations(count))")
    case .fire(let pausing):
      return ("\(live.fire(pausing: pausing))", "\(value.fire(pausing: pausing, at: now))")
    }
  }

  private func restored(
    from checkpoint: Repeater.Checkpoint, _ policy: RestorePolicy
  ) throws -> Repeater {
    try Repeater(restoring: checkpoint, policy: policy, clock: .virtual(clock)) { [handler] in
      handler($1)
    }
  }

  var snapshots: (live: String, value: String) {
    var snapshot = live.snapshot
    snapshot.staleCount = 0
    let timeLeft = value.timeLeft(at: clock.now)
    return ("\(snapshot) \(live.timeLeft as Any)", "\(value.snapshot) \(timeLeft as Any)")
  }
}

struct CycleTwins: TimerTwins {
  enum Control: Sendable {
    case common(TwinControl)
    case skip
    case adjust(Int)
  }

  struct Setup: Sendable {
    var configuration: Cycle.Configuration
    var kind: TimerClock.Kind
  }

  let clock: VirtualClock
  let handler: @Sendable (Cycle.Tick) -> Void
  var live: Cycle
  var value: Cycle.Value

  static func setup(_ random: inout SplitMix) -> Setup {
    let phases = (0...random.below(3)).map {
      Cycle.Phase("\($0)", .nanoseconds(1 + random.below(12)))
    }
    return Setup(
      configuration: Cycle.Configuration(
        phases, rounds: random.below(3) == 0 ? nil : 1 + random.below(4),
        includesFinalRest: random.below(2) == 0, tolerance: .nanoseconds(random.below(5))),
      kind: random.one(of: TimerClock.Kind.allCases))
  }

  static func clock(of setup: Setup) -> (kind: TimerClock.Kind, unit: Duration) {
    (setup.kind, .nanoseconds(1))
  }

  static func control(_ random: inout SplitMix) -> Control {
    switch random.below(6) {
    case 0...2: .common(TwinControl(&random))
    case 3...4: .skip
    default: .adjust(random.below(30) - 15)
    }
  }

  init(
    _ setup: Setup, on clock: VirtualClock, seed: UInt64,
    handler: @escaping @Sendable (Cycle.Tick) -> Void
  ) throws {
    self.clock = clock
    self.handler = handler
    live = try Cycle(setup.configuration, clock: .virtual(clock)) { handler($1) }
    value = try Cycle.Value(setup.configuration, clock: .virtual(clock))
  }

  mutating func perform(_ control: Control) throws -> (live: String, value: String) {
    let now = clock.now
    switch control {
    case .common(.restore(let policy)):
      let checkpoints = (live.checkpoint, value.checkpoint(at: now, wall: clock.wallNow))
      live.cancel()
      live = try Cycle(restoring: checkpoints.0, policy: policy, clock: .virtual(clock)) {
        [handler] in handler($1)
      }
      value = try Cycle.Value(
        restoring: checkpoints.1, policy: policy, clock: .virtual(clock), at: now,
        wall: clock.wallNow)
      return ("\(checkpoints.0)", "\(checkpoints.1)")
    case .common(let control): return control.perform(on: live, &value, at: now)
    case .skip: return ("\(live.skip())", "\(value.skip(at: now))")
    case .adjust(let change):
      let change = Duration.nanoseconds(change)
      return (
        "\(live.adjustTimeLeft(by: change))", "\(value.adjustTimeLeft(by: change, at: now))"
      )
    }
  }

  var snapshots: (live: String, value: String) {
    var snapshot = live.snapshot
    snapshot.staleCount = 0
    let timeLeft = value.timeLeft(at: clock.now)
    return ("\(snapshot) \(live.timeLeft as Any)", "\(value.snapshot) \(timeLeft as Any)")
  }
}

struct StopwatchTwins: TimerTwins {
  enum Control: Sendable {
    case common(TwinControl)
    case lap
    case setAlarm(Int?)
  }

  let clock: VirtualClock
  let handler: @Sendable (Stopwatch.Delivery) -> Void
  var live: Stopwatch
  var value: Stopwatch.Value

  static func setup(_ random: inout SplitMix) -> TimerClock.Kind {
    random.one(of: TimerClock.Kind.allCases)
  }

  static func clock(of kind: TimerClock.Kind) -> (kind: TimerClock.Kind, unit: Duration) {
    (kind, .nanoseconds(1))
  }

  static func control(_ random: inout SplitMix) -> Control {
    switch random.below(6) {
    case 0...2: .common(TwinControl(&random))
    case 3...4: .lap
    default: .setAlarm(random.below(5) == 0 ? nil : random.below(60))
    }
  }

  init(
    _ setup: TimerClock.Kind, on clock: VirtualClock, seed: UInt64,
    handler: @escaping @Sendable (Stopwatch.Delivery) -> Void
  ) throws {
    self.clock = clock
    self.handler = handler
    live = Stopwatch(clock: .virtual(clock)) { handler($1) }
    value = Stopwatch.Value(clock: .virtual(clock))
  }

  mutating func perform(_ control: Control) throws -> (live: String, value: String) {
    let now = clock.now
    switch control {
    case .common(.restore(let policy)):
      let checkpoints = (live.checkpoint, value.checkpoint(at: now, wall: clock.wallNow))
      live.cancel()
      live = try Stopwatch(restoring: checkpoints.0, policy: policy, clock: .virtual(clock)) {
        [handler] in handler($1)
      }
      value = try Stopwatch.Value(
        restoring: checkpoints.1, policy: policy, clock: .virtual(clock), at: now,
        wall: clock.wallNow)
      return ("\(checkpoints.0)", "\(checkpoints.1)")
    case .common(let control): return control.perform(on: live, &value, at: now)
    case .lap: return ("\(live.lap() as Any)", "\(value.lap(at: now) as Any)")
    case .setAlarm(let time):
      let time = time.map { Duration.nanoseconds($0) }
      return ("\(live.setAlarm(at: time))", "\(value.setAlarm(at: time))")
    }
  }

  var snapshots: (live: String, value: String) {
    var snapshot = live.snapshot
    snapshot.staleCount = 0
    let (elapsed, timeLeft) = (value.elapsed(at: clock.now), value.timeLeft(at: clock.now))
    return (
      "\(snapshot) \(live.elapsed) \(snapshot.timeLeft(at: clock.now) as Any)",
      "\(value.snapshot) \(elapsed) \(timeLeft as Any)"
    )
  }
}

struct GateTwins: TimerTwins {
  enum Control: Sendable {
    case call(Int)
    case cancelPending
    case flush
  }

  struct Setup: Sendable {
    var rule: CallGate<Int>.Rule
    var kind: TimerClock.Kind
  }

  private enum Live: Sendable {
    case debouncer(Debouncer<Int>)
    case throttler(Throttler<Int>)
    case background(BackgroundTimer<Owner>, delay: Duration)

    func call(_ number: Int) -> Bool {
      switch self {
      case .debouncer(let timer): return timer.call(number)
      case .throttler(let timer): return timer.call(number)
      case .background(let timer, let delay):
        timer.perform(after: delay) { $0.handler(number) }
        return false
      }
    }

    func cancelPending() -> ControlResult {
      switch self {
      case .debouncer(let timer): timer.cancelPending()
      case .throttler(let timer): timer.cancelPending()
      case .background(let timer, _): timer.cancelPending()
      }
    }

    func flush() -> ControlResult? {
      switch self {
      case .debouncer(let timer): timer.flush()
      case .throttler(let timer): timer.flush()
      case .background: nil
      }
    }

    var snapshot: CallSnapshot {
      switch self {
      case .debouncer(let timer): timer.snapshot
      case .throttler(let timer): timer.snapshot
      case .background(let timer, _): timer.snapshot
      }
    }
  }

  final class Owner: Sendable {
    let handler: @Sendable (Int) -> Void
    init(_ handler: @escaping @Sendable (Int) -> Void) { self.handler = handler }
  }

  let clock: VirtualClock
  private let live: Live
  private let owner: Owner
  var value: CallGate<Int>

  static func setup(_ random: inout SplitMix) -> Setup {
    let time = Duration.nanoseconds(random.below(10))
    let tolerance = Duration.nanoseconds(random.below(4))
    let rule: CallGate<Int>.Rule =
      switch random.below(3) {
      case 0:
        .debounce(
          DebounceConfiguration(
            delay: time, edges: random.one(of: DebounceEdges.allCases),
            maxWait: random.below(2) == 0 ? nil : .nanoseconds(random.below(20)),
            tolerance: tolerance))
      case 1:
        .throttle(
          ThrottleConfiguration(
            interval: time,
            mode: random.one(of: [.fromDelivery, .fromDelivery(firstAtOnce: false), .deferred]),
            keeping: random.one(of: KeptValue.allCases), tolerance: tolerance))
      default:
        .background(
          random.one(of: BackgroundBehavior.allCases), delay: time, tolerance: tolerance)
      }
    return Setup(rule: rule, kind: random.one(of: TimerClock.Kind.allCases))
  }

  static func clock(of setup: Setup) -> (kind: TimerClock.Kind, unit: Duration) {
    (setup.kind, .nanoseconds(1))
  }

  static func control(_ random: inout SplitMix) -> Control {
    switch random.below(8) {
    case 0: .cancelPending
    case 1: .flush
    default: .call(random.below(100))
    }
  }

  init(
    _ setup: Setup, on clock: VirtualClock, seed: UInt64,
    handler: @escaping @Sendable (Int) -> Void
  ) throws {
    self.clock = clock
    owner = Owner(handler)
    value = try CallGate(setup.rule, clock: .virtual(clock))
    switch setup.rule {
    case .debounce(let configuration):
      live = .debouncer(try Debouncer(configuration, clock: .virtual(clock)) { handler($1) })
    case .throttle(let configuration):
      live = .throttler(try Throttler(configuration, clock: .virtual(clock)) { handler($1) })
    case .background(let behavior, let delay, let tolerance):
      live = .background(
        try BackgroundTimer(
          for: owner, behavior: behavior, tolerance: tolerance, clock: .virtual(clock)),
        delay: delay)
    }
  }

  mutating func perform(_ control: Control) -> (live: String, value: String) {
    let now = clock.now
    switch control {
    case .call(let number): return ("\(live.call(number))", "\(value.call(number, at: now))")
    case .cancelPending: return ("\(live.cancelPending())", "\(value.cancelPending())")
    case .flush:
      // A background timer has none.
      guard let result = live.flush() else { return ("", "") }
      return ("\(result)", "\(value.flush(at: now))")
    }
  }

  var snapshots: (live: String, value: String) {
    var snapshot = live.snapshot
    snapshot.staleCount = 0
    return ("\(snapshot)", "\(value.snapshot)")
  }
}
