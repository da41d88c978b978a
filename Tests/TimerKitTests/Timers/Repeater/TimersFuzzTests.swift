import Fuzzing
import Testing

@testable import TimerKit

/// Several timers of any kind on one virtual clock, with any values and in any order: their reports are
/// consistent, and a repeated run is identical.
@Suite struct TimersFuzzTests {
  @Test func randomRunsAreConsistentAndDeterministic() {
    let found = failures(
      sequences: 200, steps: 5..<40, setup: { World(&$0) }, step: { WorldStep(&$0) },
      failure: { world, steps in
        let first = world.play(steps)
        if let fault = first.fault { return fault }
        let again = world.play(steps).log
        guard first.log != again else { return nil }
        let same = zip(first.log, again).prefix { $0 == $1 }.count
        return "repeated: \(again.dropFirst(same).first ?? "-"), not "
          + "\(first.log.dropFirst(same).first ?? "-")"
      })
    #expect(found == [])
  }
}

@Suite struct ShrinkingTests {
  @Test func stepsThatDoNotMatterAreLeftOut() {
    #expect(shrink(Array(0..<20)) { $0.contains(3) && $0.contains(17) } == [3, 17])
  }
}

enum WorldStep: Sendable {
  case control(TimerUse)
  case advance(Duration)
  case suspend(Duration)
  case adjustWall(Duration)

  init(_ random: inout SplitMix) {
    switch random.below(12) {
    case 0...3: self = .advance(random.duration())
    case 4: self = .suspend(random.duration())
    case 5: self = .adjustWall(random.duration())
    default: self = .control(TimerUse(&random))
    }
  }
}

/// The random timers of a run, their clock and the scripts of their handlers.
struct World: Sendable {
  let kind: TimerClock.Kind
  let start: Duration
  let wall: WallInstant
  let recipes: [TimerRecipe]
  /// The steps that the first handlers perform.
  let scripts: [[TimerUse]]

  init(_ random: inout SplitMix) {
    kind = random.one(of: [.suspending, .continuous, .wall])
    start = .nanoseconds(random.edge())
    wall = WallInstant(nanosecondsSince1970: random.edge())
    recipes = (0...random.below(4)).map { _ in TimerRecipe(&random) }
    scripts = (0..<8).map { _ in
      (0..<max(0, random.below(5) - 2)).map { _ in TimerUse(&random) }
    }
  }

  func play(_ steps: [WorldStep]) -> (log: [String], fault: String?) {
    let clock = VirtualClock(kind, startingAt: start, wall: wall)
    let log = Recorder<String>()
    let timers = Guarded<[FuzzedTimer]>([])
    let deliveries = Recorder<Void>()
    let scripts = scripts
    @Sendable func use(_ use: TimerUse) {
      let all = timers.withLock { $0 }
      guard !all.isEmpty else { return }
      let number = use.timer % all.count
      log.append("\(number) returns \(all[number].use(use))")
    }
    @Sendable func handle() {
      let index = deliveries.count
      deliveries.append(())
      guard index < scripts.count else { return }
      for step in scripts[index] { use(step) }
    }
    for (number, recipe) in recipes.enumerated() {
      let timer = recipe.make(on: clock) { entry in
        log.append("\(number) \(entry)")
      } delivered: {
        handle()
      }
      guard let timer else { continue }
      timers.withLock { $0.append(timer) }
    }
    var fault: String?
    for step in steps where fault == nil {
      let before = clock.now
      switch step {
      case .control(let control): use(control)
      case .advance(let time): clock.advance(by: time)
      case .suspend(let time): clock.suspend(for: time)
      case .adjustWall(let time): clock.adjustWall(by: time)
      }
      if clock.kind != .wall, clock.now < before { fault = "time decreased" }
      for timer in timers.withLock({ $0 }) {
        log.append(timer.text())
        if let wrong = timer.fault() { fault = fault ?? "after \(step): \(wrong)" }
      }
    }
    // The handlers' references to the timers must not outlive the run.
    timers.withLock { $0 = [] }
    return (log.all, fault)
  }
}

extension SplitMix {
  /// Returns a duration that is mostly short, so that many timers fire, and sometimes extreme or
  /// invalid.
  mutating func duration() -> Duration {
    switch below(8) {
    case 0: .nanoseconds(edge())
    case 1: .seconds(edge())
    case 2: .milliseconds(below(2000))
    default: .nanoseconds(below(60))
    }
  }
}
