import Dashboard
import TimerKit

/// A scene on virtual time: it plays its script until the person presses a key of the scene; from
/// then on it is the person's.
struct VirtualPerformance: Performance {
  /// A stage with a scene's timers on it, for as long as they are played.
  private final class Production {
    let stage = Stage()
    private let keys: (Character) throws -> Void

    init(_ setUp: SetUp) {
      do { keys = try setUp(stage) } catch {
        preconditionFailure("a scene asks for a timer that cannot be: \(error)")
      }
    }

    func press(_ key: Character) {
      do { try keys(key) } catch {
        preconditionFailure("a scene asks for a timer that cannot be: \(error)")
      }
    }

    deinit { stage.strike() }
  }

  /// Sets the scene's timers up on a stage, and answers what its keys do.
  typealias SetUp = @Sendable (Stage) throws -> (Character) throws -> Void

  /// How many times faster than real time the scene's clock can go.
  private static let speeds: [(numerator: Int64, denominator: Int64)] = [
    (1, 10), (1, 5), (1, 2), (1, 1), (2, 1), (5, 1), (10, 1), (20, 1), (50, 1), (100, 1),
  ]
  /// How often the picture moves while time does.
  private static let frame = Duration.milliseconds(50)
  /// Where more real time has gone by between two pictures, the program was stopped, or showed
  /// something else: the rest of it is not played.
  private static let longestGap = Duration.seconds(1)
  /// How long a single step may take of the scene's time, if nothing happens.
  private static let longestStep = Duration.seconds(2)
  private static let stepGrain = Duration.milliseconds(10)

  private let script: Script
  private let inputs: [Character]
  private let setUp: SetUp

  private var production: Production
  /// The script's next input; the person's own performance has none.
  private var next: Int? = 0
  private var speed = 3
  private var isPaused = false
  /// The real time up to which the scene has been played.
  private var played: TimerClock.Instant?

  init(script: Script, inputs: [Character], setUp: @escaping SetUp) {
    self.script = script
    self.inputs = inputs
    self.setUp = setUp
    production = Production(setUp)
  }

  private mutating func restart(live: Bool) {
    production = Production(setUp)
    next = live ? nil : 0
    isPaused = false
  }

  var stage: Stage { production.stage }

  private var time: Duration { .nanoseconds(stage.clock.now.nanoseconds) }

  /// The script ends just before its length: what is due exactly then is not in the picture.
  private var end: Duration { script.length - .nanoseconds(1) }
  private var isOver: Bool { next != nil && time >= end }

  /// Plays on for a while, the script's inputs included; never past the script's end.
  private mutating func advance(by duration: Duration) {
    let goal = next == nil ? time + duration : min(time + duration, end)
    while let index = next, index < script.inputs.count, script.inputs[index].at <= goal {
      stage.clock.advance(by: script.inputs[index].at - time)
      production.press(script.inputs[index].key)
      next = index + 1
    }
    stage.clock.advance(by: goal - time)
  }

  /// Lets the scene's time catch up with the real one.
  private mutating func catchUp(to now: TimerClock.Instant) {
    defer { played = now }
    guard let played, !isPaused, !isOver else { return }
    let (numerator, denominator) = Self.speeds[speed]
    let gap = min(played.duration(to: now), Self.longestGap)
    advance(by: gap * numerator / denominator)
  }

  mutating func perform(_ command: LabCommand, at now: TimerClock.Instant) {
    catchUp(to: now)
    switch command {
    case .input(let key) where inputs.contains(key):
      if next != nil { restart(live: true) }
      production.press(key)
    case .step: step()
    case .pause: isPaused.toggle()
    case .hundred: playOut()
    case .faster: speed = min(speed + 1, Self.speeds.count - 1)
    case .slower: speed = max(speed - 1, 0)
    case .again: restart(live: false)
    default: break
    }
  }

  private mutating func step() {
    isPaused = true
    let before = stage.markCount
    var left = Self.longestStep
    while stage.markCount == before, left > .zero, !isOver {
      advance(by: Self.stepGrain)
      left -= Self.stepGrain
    }
  }

  mutating func playOut() {
    if next != nil { advance(by: script.length - time) }
  }

  mutating func picture(at now: TimerClock.Instant) -> Picture {
    catchUp(to: now)
    let lanes = LabLanes(
      stage.lanes.map(\.drawn), cell: script.cell / 2, length: script.length, now: time)
    let (numerator, denominator) = Self.speeds[speed]
    return Picture(
      blocks: [.lanes(lanes)],
      status: LabFrame.Status(
        isOver ? .ended : isPaused ? .paused : .running,
        speed: denominator == 1 ? "×\(numerator)" : "×\(numerator)/\(denominator)",
        words: [time.tenths, next == nil ? "your keys" : "script"]),
      keys: [
        .init(.step, label: "step"), .init(.pause, label: "pause"),
        .init(.faster, .slower, label: "speed"),
      ])
  }

  func staleAt(_ now: TimerClock.Instant) -> TimerClock.Instant? {
    isPaused || isOver ? nil : now.advanced(by: Self.frame)
  }
}

extension Duration {
  /// In seconds, rounded to the tenth: `3.2 s`.
  var tenths: String {
    let tenths = (max(0, clampedNanoseconds) + 50_000_000) / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
