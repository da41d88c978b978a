import Dashboard
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct TimerModelTests {
  private final class Reader {
    var letters: [TimerModel.Letter] = []
  }

  private let reader = Reader()
  private let model: TimerModel

  init() {
    model = TimerModel { [reader] in reader.letters += $0 }
  }

  private func spec(_ text: String) throws -> TimerSpec {
    try #require(try TimerSpec.parse(line: text).first)
  }

  /// No checkpoint ends the process: it is refused, and the model goes on without that timer.
  @Test func whatCannotBeIsRefused() async throws {
    let wall = WallInstant(nanosecondsSince1970: 1_795_260_946_000_000_000)
    let endless = try spec("cycle 1m/30s")
    guard case .cycle(var cycle) = SavedTimer(startOf: endless, at: ClockReading(wall: wall)).checkpoint
    else { return }
    for number in [-1, .max] {
      cycle.phaseNumber = number
      #expect(throws: RestoreError.invalidPhaseNumber(number)) {
        try model.create(TimerID(1), endless, restoring: .cycle(cycle))
      }
    }
    try model.create(TimerID(1), endless, restoring: nil)
    try await until { reader.letters.contains { $0.status.state == .running } }
  }

  @Test func newsComeInOrderEachWithTheStateByThen() async throws {
    let id = TimerID(1)
    try model.create(id, try spec("every 5ms x20 missed burst 100"), restoring: nil)
    try await until { reader.letters.contains { $0.status.state == .finished } }
    #expect(reader.letters.allSatisfy { $0.id == id && model.isLive($0) })
    let fires = reader.letters.filter { letter in
      if case .fired? = letter.news { true } else { false }
    }
    #expect(fires.count == 20)
    for (index, letter) in fires.enumerated() { #expect(letter.status.deliveredCount > index) }
    let delivered = reader.letters.map(\.status.deliveredCount)
    #expect(delivered == delivered.sorted() && delivered.last == 20)
    let left = reader.letters.compactMap { repeater($0.status)?.remainingIterations }
    #expect(left == left.sorted(by: >) && left.last == 0)
  }

  /// An answer comes after all that the command has set off.
  @Test func everyCommandIsAnsweredByWhatItCameTo() async throws {
    let id = TimerID(1)
    try model.create(id, try spec("every 1h x3"), restoring: nil)
    try await until { answers(from: id).count == 1 }
    let commands: [TimerCommand] = [
      .pause, .setRemainingIterations(5), .fire(andPause: false), .reset(restart: true),
    ]
    for (number, command) in commands.enumerated() {
      model.send(command, to: id)
      try await until { answers(from: id).count > number + 1 }
    }
    let told = answers(from: id)
    #expect(told.map(\.state) == [.running, .paused, .paused, .paused, .running])
    #expect(told.compactMap { repeater($0)?.remainingIterations } == [3, 3, 5, 4, 3])
  }

  @Test(arguments: [
    "1h", "every 1h x3", "cycle 1h/1h", "stopwatch", "debounce 1h", "idle 1h", "at 23:59",
    "daily 12am x2",
  ])
  func everyKindAnswers(timer: String) async throws {
    let id = TimerID(1)
    try model.create(id, try spec(timer), restoring: nil)
    try await until { answers(from: id).count == 1 }
    let commands: [TimerCommand] = [.start, .fire(andPause: false), .skip, .lap, .pause]
    for (number, command) in commands.enumerated() {
      model.send(command, to: id)
      try await until { answers(from: id).count > number + 1 }
    }
    model.remove(id)
    #expect(answers(from: id).isEmpty)
  }

  /// The board allows none of these; whatever asks for one is told.
  @Test(arguments: [
    (TimerCommand.setInterval(.zero, .fromNow), "invalid interval 0.0 seconds"),
    (.setRemainingIterations(0), "invalid count 0"),
  ])
  func aCommandThatCannotBeIsRefused(_ command: TimerCommand, _ reason: String) async throws {
    let id = TimerID(1)
    try model.create(id, try spec("every 1h x3"), restoring: nil)
    model.send(command, to: id)
    try await until { answers(from: id).count == 2 }
    let reasons = reader.letters.compactMap { letter in
      if case .refused(let reason)? = letter.news { reason } else { nil }
    }
    #expect(reasons.count == 1 && reasons[0].hasPrefix(reason), "\(reasons)")
  }

  @Test func aTimerIsMadeAsItWas() async throws {
    let id = TimerID(1)
    let asked = try spec("tea=every 10m x5")
    let checkpoint = Repeater.Checkpoint(
      configuration: .init(.interval(.minutes(10)), mode: .finite(5)), state: .paused,
      remainingIterations: 4, timeLeft: .seconds(90), takenAt: ClockReading.now().wall)
    try model.create(id, asked, restoring: .repeater(checkpoint))
    try await until { answers(from: id).count == 1 }
    let made = try #require(answers(from: id).last.flatMap(repeater))
    #expect(made.state == .paused && made.remainingIterations == 4)
    #expect(made.frozenTimeLeft == .seconds(90))
  }

  @Test func aRemovedTimerIsSilent() async throws {
    let busy = TimerID(1)
    try model.create(busy, try spec("every 1ms"), restoring: nil)
    try await until { reader.letters.count > 10 }
    model.send(.fire(andPause: false), to: busy)
    model.remove(busy)
    #expect(!reader.letters.contains(where: model.isLive))
    model.send(.fire(andPause: false), to: busy)
    let other = TimerID(2)
    try model.create(other, try spec("every 5ms x10"), restoring: nil)
    try await until { answers(from: other).contains { $0.state == .running } }
    // What it had posted before is here by now, and no more will come.
    let count = reader.letters.filter { $0.id == busy }.count
    try await until { reader.letters.contains { $0.status.state == .finished } }
    #expect(reader.letters.filter { $0.id == busy }.count == count)
    #expect(reader.letters.filter(model.isLive).allSatisfy { $0.id == other })
  }

  @Test func anotherTimerOfTheSameIDTakesItsPlace() async throws {
    let id = TimerID(1)
    try model.create(id, try spec("every 1ms"), restoring: nil)
    try await until { reader.letters.count > 10 }
    try model.create(id, try spec("1h"), restoring: nil)
    try await until { !answers(from: id).isEmpty }
    let live = reader.letters.filter(model.isLive)
    #expect(live.allSatisfy { repeater($0.status)?.configuration.mode == .once })
  }

  /// The answers of the timer that has this place now.
  private func answers(from id: TimerID) -> [TimerStatus] {
    reader.letters.filter { $0.id == id && $0.news == nil && model.isLive($0) }.map(\.status)
  }

  private func repeater(_ status: TimerStatus) -> Repeater.Snapshot? {
    if case .repeater(let snapshot) = status { snapshot } else { nil }
  }
}
