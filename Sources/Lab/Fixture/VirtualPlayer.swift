import Dashboard
import TimerKit

/// The input of a scene until the user presses a key of it, as a marble diagram: each character is
/// a key, and `-` is none.
struct Script: Sendable {
  let axis: LabLanes.Axis
  /// The duration of one character.
  let cell: Duration
  let inputs: [(at: Duration, key: Character)]
  let length: Duration

  init(
    axis: LabLanes.Axis = .seconds, cell: Duration = .milliseconds(250), _ marbles: String
  ) {
    self.axis = axis
    self.cell = cell
    inputs = marbles.enumerated().filter { $0.element != "-" }.map {
      (cell * $0.offset, $0.element)
    }
    length = cell * marbles.count
  }
}

/// A player of a scene on virtual time: of its script until the user presses a key of the scene,
/// then of the keys of the user.
struct VirtualPlayer: Player {
  /// A fixture with the timers of a scene, torn down when it is released.
  private final class ActiveFixture {
    let fixture = Fixture()
    private let keys: Lane?
    private let labels: [Character: String]
    private let keyHandler: (Character) throws -> Void

    init(_ setUp: SetUp, labels: [Character: String], keyLane: String?) {
      self.labels = labels
      keys = keyLane.map { [fixture] in fixture.lane($0, isInput: true) }
      keyHandler = withValidTimers { [fixture] in try setUp(fixture) }
    }

    func press(_ key: Character) {
      fixture.keyWord.value = nil
      withValidTimers { try keyHandler(key) }
      keys?.mark(.character(key), word: fixture.keyWord.value ?? labels[key] ?? "")
    }

    deinit { fixture.tearDown() }
  }

  /// Creates the timers of a scene and returns the handler of its keys.
  typealias SetUp = @Sendable (Fixture) throws -> (Character) throws -> Void

  /// The speeds of the scene's clock, relative to real time.
  private static let speeds: [(numerator: Int64, denominator: Int64)] = [
    (1, 10), (1, 5), (1, 2), (1, 1), (2, 1), (5, 1), (10, 1), (20, 1), (50, 1), (100, 1),
  ]
  /// The interval between two frames while time passes.
  private static let frameInterval = Duration.milliseconds(50)
  /// The longest real time between two snapshots that is played. After a longer one the program was
  /// stopped or showed something else, and the scene does not skip ahead.
  private static let longestGap = Duration.seconds(1)
  /// The longest scene time of a single step in which nothing happens.
  private static let longestStep = Duration.seconds(2)
  private static let stepGrain = Duration.milliseconds(10)

  private let script: Script
  /// The labels of the scene's keys.
  private let labels: [Character: String]
  /// Creates a fixture at the beginning of the scene.
  private let makeFixture: () -> ActiveFixture

  private var active: ActiveFixture
  /// The index of the next input of the script; `nil` once the user controls the scene.
  private var next: Int? = 0
  private var speedIndex = 3
  private var isPaused: Bool
  /// The real time up to which the scene has been played.
  private var lastPlayed: TimerClock.Instant?

  /// - Parameter keyLane: The name of the first lane, on which the keys are marked; `nil` if the scene marks them.
  init(
    script: Script, labels: [Character: String], keyLane: String? = "you",
    isPaused: Bool = false, setUp: @escaping SetUp
  ) {
    self.script = script
    self.labels = labels
    self.isPaused = isPaused
    makeFixture = { ActiveFixture(setUp, labels: labels, keyLane: keyLane) }
    active = makeFixture()
  }

  private mutating func restart(live: Bool) {
    active = makeFixture()
    next = live ? nil : 0
    isPaused = false
  }

  var fixture: Fixture { active.fixture }

  private var time: Duration { .nanoseconds(fixture.clock.now.nanoseconds) }

  /// The end of the script, just before its length: a timer that is due exactly then does not fire.
  private var end: Duration { script.length - .nanoseconds(1) }
  private var isOver: Bool { next != nil && time >= end }

  /// Advances the scene with the inputs of the script, at most to the end of the script.
  private mutating func advance(by duration: Duration) {
    let goal = next == nil ? time + duration : min(time + duration, end)
    while let index = next, index < script.inputs.count, script.inputs[index].at <= goal {
      fixture.clock.advance(by: script.inputs[index].at - time)
      active.press(script.inputs[index].key)
      next = index + 1
    }
    fixture.clock.advance(by: goal - time)
  }

  /// Advances the scene by the real time since the last call.
  private mutating func catchUp(to now: TimerClock.Instant) {
    defer { lastPlayed = now }
    guard let lastPlayed, !isPaused, !isOver else { return }
    let (numerator, denominator) = Self.speeds[speedIndex]
    let gap = min(lastPlayed.duration(to: now), Self.longestGap)
    advance(by: gap * numerator / denominator)
  }

  mutating func handle(_ command: LabCommand, at now: TimerClock.Instant) {
    catchUp(to: now)
    switch command {
    case .input(let key) where labels[key] != nil:
      if next != nil { restart(live: true) }
      active.press(key)
    case .action(.step): step()
    case .action(.pauseScene): isPaused.toggle()
    case .action(.playToEnd): playToEnd()
    case .action(.faster): speedIndex = min(speedIndex + 1, Self.speeds.count - 1)
    case .action(.slower): speedIndex = max(speedIndex - 1, 0)
    case .action(.restartScene): restart(live: false)
    default: break
    }
  }

  private mutating func step() {
    isPaused = true
    let before = fixture.markCount
    var left = Self.longestStep
    while fixture.markCount == before, left > .zero, !isOver {
      advance(by: Self.stepGrain)
      left -= Self.stepGrain
    }
  }

  mutating func playToEnd() {
    if next != nil { advance(by: script.length - time) }
  }

  mutating func snapshot(at now: TimerClock.Instant) -> LabPage {
    catchUp(to: now)
    let lanes = LabLanes(
      fixture.lanes.map(value), axis: script.axis, cellDuration: script.cell / 2,
      length: script.length, now: time)
    let (numerator, denominator) = Self.speeds[speedIndex]
    return LabPage(
      status: LabPage.Status(
        isOver ? .ended : isPaused ? .paused : .running,
        speed: denominator == 1 ? "×\(numerator)" : "×\(numerator)/\(denominator)",
        details: [time.tenths, next == nil ? "your keys" : "by itself"]),
      lanes: lanes,
      keys: [
        .init(.step, label: "step"), .init(.pauseScene, label: isPaused ? "resume" : "pause"),
        .init(.faster, .slower, label: "speed"), .init(.playToEnd, label: "end"),
      ])
  }

  /// Returns a lane as a value. Until the end of the script only a wrong mark is an outcome; your own keys have no end.
  private func value(of lane: Lane) -> LabLane {
    var value = lane.value
    if !isOver, value.isGood != nil { value.isGood = lane.count(.wrong) > 0 ? false : nil }
    return value
  }

  /// True until the first key of the scene, which begins it anew.
  var playsScript: Bool { next != nil }

  func nextChange(after now: TimerClock.Instant) -> TimerClock.Instant? {
    isPaused || isOver ? nil : now.advanced(by: Self.frameInterval)
  }
}

extension Duration {
  /// The duration in seconds, rounded to a tenth: `3.2 s`.
  var tenths: String {
    let tenths = (max(0, clampedNanoseconds) + 50_000_000) / 100_000_000
    return "\(tenths / 10).\(tenths % 10) s"
  }
}
