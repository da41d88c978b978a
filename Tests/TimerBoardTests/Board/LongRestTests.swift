import Testing
import TimerKit

@testable import TimerBoard

/// Cycles whose last rest, or each fourth one, is a long one.
struct LongRestTests {
  private static let start = ClockReading(
    wall: WallInstant(nanosecondsSince1970: 1_782_916_140_000_000_000))

  private func machine(_ text: String) throws -> TimerMachine {
    let spec = try TimerSpec.parse(timer: text)
    return try spec.kind.family.start(of: spec, seed: 0, at: Self.start)
  }

  /// Returns each phase with its duration, its round and the number of rounds left, up to a limit.
  private func phases(_ text: String, limit: Int = 20) throws -> [String] {
    var machine = try machine(text)
    var now = Self.start
    var phases: [String] = []
    while let name = machine.phaseName, let left = machine.timeLeft(at: now), phases.count < limit {
      var iterations = ""
      if case .counted(let left, let all) = machine.iterations { iterations = " \(left)/\(all)" }
      phases.append("\(name) \(DurationText.text(left)) · \(machine.roundText ?? "-")\(iterations)")
      now = now.moved(by: left)
      let round = machine.round
      let fire = machine.advance(to: now)
      #expect(fire?.iteration == machine.round ?? round)
    }
    return phases
  }

  @Test func theLastRestIsLong() throws {
    #expect(
      try phases("cycle 25/5 x4 long 15") == [
        "work 25m · 1 of 4 4/4", "rest 5m · 1 of 4 4/4", "work 25m · 2 of 4 3/4",
        "rest 5m · 2 of 4 3/4", "work 25m · 3 of 4 2/4", "rest 5m · 3 of 4 2/4",
        "work 25m · 4 of 4 1/4", "long rest 15m · 4 of 4 1/4",
      ])
    #expect(
      try phases("cycle 25/5 x1 long 15") == [
        "work 25m · 1 of 1 1/1", "long rest 15m · 1 of 1 1/1",
      ])
    // Without it, the last rest is left out.
    #expect(try phases("cycle 25/5 x2").last == "work 25m · 2 of 2 1/2")
  }

  @Test func eachFourthRestOfAnEndlessCycleIsLong() throws {
    let phases = try phases("cycle focus 25m/tea 5m long 15m", limit: 17)
    #expect(
      phases.indices.filter { phases[$0].hasPrefix("long tea 15m") } == [7, 15], "\(phases)")
    #expect(phases[8] == "focus 25m · 5" && phases[16] == "focus 25m · 9")
    #expect(try machine("cycle 25/5 long 15").iterations == .endless)
  }

  @Test func aFinishedCycleHasNoRoundsLeft() throws {
    var timer = try machine("cycle 25/5 x2 long 15")
    let end = Self.start.moved(by: .minutes(70))
    #expect(timer.end(by: end).map(Self.start.wallInstant) == end.wall)
    while timer.advance(to: end) != nil {}
    #expect(timer.state == .finished && timer.roundText == nil)
    #expect(timer.iterations == .counted(left: 0, of: 2))
    #expect(timer.modeName == "finite")
    #expect(timer.nextPhase == nil)
  }

  /// A session has the phase of each timer.
  @Test(arguments: ["cycle 25/5 x4 long 15", "cycle 25/5 long 15"])
  func everyPhaseIsSavedAndRestored(_ text: String) throws {
    let spec = try TimerSpec.parse(timer: text)
    let timer = try BoardTimer(id: TimerID(1), startOf: spec, at: Self.start)
    for index in 0..<8 {
      var fields = SavedFields(timer, at: Self.start)
      (fields.phaseIndex, fields.left) = (index, nil)
      let restored = try BoardTimer(fields, savedAt: Self.start)
      #expect(restored.spec == spec)
      #expect(
        restored.machine.phaseName == (index == 7 ? "long rest" : ["work", "rest"][index % 2]))
      #expect(restored.machine.round == index / 2 + 1)
      #expect(
        restored.timeLeft(at: Self.start)
          == .minutes(index == 7 ? 15 : index % 2 == 0 ? 25 : 5))
      #expect(SavedFields(restored, at: Self.start).phaseIndex == index)
    }
  }
}
