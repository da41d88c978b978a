import Foundation
import Testing

@testable import TimerKit

/// Every way to create a timer exists with a handler on a queue, a handler on the main actor, and an asynchronous operation.
@Suite struct OperationFormTests {
  enum Work: Hashable { case queue, mainActor, operation }

  /// A way to create a timer: the type, and the parameters that do not concern the work.
  struct Form: Hashable, CustomStringConvertible {
    let type: Substring
    let name: String
    let labels: [Substring]
    var description: String { "\(type).\(name)(\(labels.map { "\($0):" }.joined()))" }
  }

  /// The types that have another form, with the reason.
  private static let exceptions: [Substring: String] = [
    "BackgroundTimer": "its work comes with each request, and excludes performExclusively(_:)",
    "DebouncedFunction": "its operation returns a result to the caller",
  ]

  @Test func noneIsMissing() throws {
    let forms = try Self.forms()
    #expect(forms.count > 25 && forms.keys.contains { $0.name == "following" })
    for (form, works) in forms where Self.exceptions[form.type] == nil {
      #expect(works == [.queue, .mainActor, .operation], "\(form)")
    }
    #expect(Self.exceptions.keys.allSatisfy { type in forms.keys.contains { $0.type == type } })
  }

  /// Reads them from the sources of TimerKit.
  private static func forms() throws -> [Form: Set<Work>] {
    let root = URL(filePath: #filePath).appending(path: "../../../../Sources/TimerKit")
    let files = FileManager.default.enumerator(
      at: root.standardized, includingPropertiesForKeys: nil)
    var forms: [Form: Set<Work>] = [:]
    for case let file as URL in try #require(files) where file.pathExtension == "swift" {
      let text = try String(contentsOf: file, encoding: .utf8)
      var type = Substring()
      let declaration =
        /(?m)^(?:(?:public.* class|extension) (?<type>\w+)|  public .*(?<name>init|static func \w+)\()/
      for match in text.matches(of: declaration) {
        if let name = match.type {
          type = name
          continue
        }
        let labels = labels(in: text[match.range.upperBound...])
        guard let work = work(labels) else { continue }
        let form = Form(
          type: type, name: String((match.name ?? "init").split(separator: " ").last ?? ""),
          labels: labels.filter { !workLabels.contains($0) })
        forms[form, default: []].insert(work)
      }
    }
    return forms
  }

  private static let workLabels: Set<Substring> = [
    "queue", "isolation", "overlap", "handler", "operation", "onExpire",
  ]

  private static func work(_ labels: [Substring]) -> Work? {
    if labels.contains("operation") { return .operation }
    if labels.contains("isolation") { return .mainActor }
    return labels.contains("handler") || labels.contains("onExpire") ? .queue : nil
  }

  /// The argument labels of a parameter list, which begins after its parenthesis.
  private static func labels(in text: Substring) -> [Substring] {
    var depth = 1
    var parameters: [String] = [""]
    for character in text {
      switch character {
      case "(", "[": depth += 1
      case ")", "]": depth -= 1
      default: break
      }
      if depth == 0 { break }
      if depth == 1, character == "," {
        parameters.append("")
      } else {
        parameters[parameters.count - 1].append(character)
      }
    }
    return parameters.compactMap { parameter in
      parameter.split(separator: ":").first?.split(whereSeparator: \.isWhitespace).first
    }
  }

  // MARK: Those that only had handlers

  private let log = Recorder<String>()

  private func advance(_ clock: VirtualClock, by duration: Duration) async -> [String] {
    await clock.advance(by: duration)
    return log.all
  }

  /// The job of a server, at the change of clocks, with a run that is longer than the distance of two occurrences.
  @Test(arguments: [
    (Repeater.Overlap.skip, ["1 missed 0", "3 missed 1"]),
    (.queueOne, ["1 missed 0", "2 missed 0", "3 missed 0"]),
  ])
  func aJobFollowsASchedule(_ overlap: Repeater.Overlap, _ expected: [String]) async throws {
    let clock = VirtualClock(.wall)
    let job = try Repeater.following(
      .daily(hour: 3), count: 3, clock: .virtual(clock), overlap: overlap
    ) { [log] _, tick in
      log.append("\(tick.iteration) missed \(tick.missedCount)")
      try? await clock.sleep(for: .hours(30))
    }
    #expect(await advance(clock, by: .days(10)) == expected)
    #expect(job.state == .finished)
  }

  @Test func aScheduleOnAnotherClockIsRefused() {
    #expect(throws: TimerConfigurationError.notWallClock(.suspending)) {
      try Repeater.following(.daily(hour: 3), clock: .suspending, overlap: .skip) { _, _ async in }
    }
  }

  @Test func aScheduleStartsIdle() async throws {
    let clock = VirtualClock(.wall)
    let timer = try Repeater(
      schedule: .daily(hour: 3), mode: .once, clock: .virtual(clock), overlap: .skip
    ) { [log] timer, _ async in log.append("\(timer.state)") }
    #expect(timer.state == .idle && timer.start() == .changed)
    #expect(await advance(clock, by: .days(2)) == ["finished"])
  }

  /// The operation is there before the timer starts: a tick that is due at once is not lost.
  @Test func restoredTimersRunTheirOperations() async throws {
    let clock = VirtualClock()
    let repeater = try Repeater.every(.seconds(3), clock: .virtual(clock)) { _, _ in }
    let countdown = try Countdown(from: 5, every: .seconds(3), clock: .virtual(clock)) { _, _ in }
    countdown.start()
    let cycle = try Cycle([.init("a", .seconds(3))], clock: .virtual(clock)) { _, _ in }
    cycle.start()
    let stopwatch = Stopwatch(clock: .virtual(clock))
    stopwatch.setAlarm(at: .seconds(3))
    stopwatch.start()
    let checkpoints = (
      repeater.checkpoint, countdown.checkpoint, cycle.checkpoint, stopwatch.checkpoint
    )
    for timer in [repeater, countdown, cycle, stopwatch] as [any ObservableTimer] { timer.cancel() }
    await clock.advance(by: .seconds(2))
    let log = log
    let restored: [any ObservableTimer] = [
      try Repeater(restoring: checkpoints.0, clock: .virtual(clock), overlap: .skip) { _, tick in
        log.append("tick \(tick.iteration) at \(milliseconds(clock))")
      },
      try Countdown(restoring: checkpoints.1, clock: .virtual(clock), overlap: .skip) { _, left in
        log.append("\(left) left at \(milliseconds(clock))")
      },
      try Cycle(restoring: checkpoints.2, clock: .virtual(clock), overlap: .skip) { _, tick in
        log.append("\(tick.ended.phase.name) at \(milliseconds(clock))")
      },
      try Stopwatch(restoring: checkpoints.3, clock: .virtual(clock), overlap: .skip) { _, mark in
        if case .alarm(let time, _) = mark { log.append("alarm \(time)") }
      },
    ]
    #expect(
      await advance(clock, by: .seconds(1)).sorted()
        == ["4 left at 3000", "a at 3000", "alarm 3.0 seconds", "tick 1 at 3000"])
    for timer in restored { #expect(await timer.drain().isComplete) }
    #expect(throws: RestoreError.self) {
      try Countdown(restoring: checkpoints.0, overlap: .skip) { _, _ async in }
    }
  }

  @Test func configurationsWithOperations() async throws {
    let clock = VirtualClock()
    let log = log
    let countdown = try Countdown(
      Repeater.Configuration(.interval(.seconds(1)), mode: .finite(2)), clock: .virtual(clock),
      overlap: .queueOne
    ) { _, left in log.append("countdown \(left)") }
    let cycle = try Cycle(
      Cycle.Configuration([.init("a", .seconds(1))], rounds: 1), clock: .virtual(clock),
      overlap: .skip
    ) { _, tick in log.append("cycle \(tick.ended.phase.name)") }
    countdown.start()
    cycle.start()
    let throttler = try Throttler<Int>(
      ThrottleConfiguration(interval: .seconds(9)), clock: .virtual(clock), overlap: .skip
    ) { _, value in log.append("throttler \(value)") }
    throttler.call(1)
    let keyedThrottler = try KeyedThrottler<String, Int>(
      ThrottleConfiguration(interval: .seconds(9)), clock: .virtual(clock), overlap: .skip
    ) { _, key, value in log.append("keyed throttler \(key) \(value)") }
    keyedThrottler.call(2, for: "a")
    let keyedDebouncer = try KeyedDebouncer<String, Int>(
      DebounceConfiguration(delay: .seconds(1)), clock: .virtual(clock), overlap: .skip
    ) { _, key, value in log.append("keyed debouncer \(key) \(value)") }
    keyedDebouncer.call(3, for: "b")
    let deadline = try DeadlineTimer(
      tolerance: .milliseconds(1), clock: .virtual(clock), overlap: .skip
    ) { _, _ in log.append("deadline") }
    deadline.schedule(after: .seconds(1))
    #expect(
      await advance(clock, by: .seconds(5)).sorted() == [
        "countdown 0", "countdown 1", "cycle a", "deadline", "keyed debouncer b 3",
        "keyed throttler a 2", "throttler 1",
      ])
    #expect(throws: TimerConfigurationError.infiniteCountdown) {
      try Countdown(Repeater.Configuration(.interval(.seconds(1))), overlap: .skip) { _, _ async in
      }
    }
    #expect(throws: TimerConfigurationError.self) {
      try DeadlineTimer(tolerance: .seconds(-1), overlap: .skip) { _, _ async in }
    }
  }

  /// A pause does not drop laps, a reset does.
  @Test(arguments: [false, true])
  func aStopwatchRunsAnOperationForItsLaps(_ isReset: Bool) async throws {
    let clock = VirtualClock()
    let stopwatch = Stopwatch(clock: .virtual(clock), overlap: .queueOne) { [log] _, mark in
      log.append("\(mark)")
      try? await clock.sleep(for: .seconds(1))
    }
    stopwatch.start()
    for _ in 0..<2 {
      stopwatch.lap()
      await clock.waitUntilIdle()
    }
    if isReset { stopwatch.reset() } else { stopwatch.pause() }
    #expect(await advance(clock, by: .seconds(5)).count == (isReset ? 1 : 2))
  }

  @MainActor @Test func configurationsOnTheMainActor() throws {
    let clock = VirtualClock()
    let log = self.log
    let countdown = try Countdown(
      Repeater.Configuration(.interval(.seconds(1)), mode: .finite(1)), clock: .virtual(clock),
      isolation: MainActor.shared
    ) { _, left in log.append("countdown \(left)") }
    countdown.start()
    let batcher = try Batcher<Int>(count: 2, clock: .virtual(clock), isolation: MainActor.shared) {
      _, values in log.append("batch \(values)")
    }
    for value in 0..<2 { batcher.add(value) }
    clock.advance(by: .seconds(1))
    #expect(log.all == ["batch [0, 1]", "countdown 0"])
  }
}
