import Testing
// Imported as in a program: only public API is used.
import TimerKit

/// One example of each kind, on virtual time.
@Suite struct KindExamples {
  let clock = VirtualClock()
  let log = Log()

  @Test func repeater() throws {
    let timer = try Repeater.every(.seconds(30), count: 3, clock: .virtual(clock)) {
      [log] _, tick in
      log.add("poll \(tick.iteration), \(tick.remainingIterations ?? 0) left")
    }
    clock.advance(by: .minutes(5))
    #expect(log.lines == ["poll 1, 2 left", "poll 2, 1 left", "poll 3, 0 left"])
    #expect(timer.state == .finished)
  }

  @Test func repeaterOnASchedule() throws {
    let day = VirtualClock(
      .wall, wall: WallInstant(nanosecondsSince1970: 1_780_000_000_000_000_000))
    let alarm = try Repeater(
      schedule: .daily(hour: 7, minute: 30), mode: .finite(2), clock: .virtual(day)
    ) {
      [log] _, tick in log.add("good morning, \(tick.iteration)")
    }
    alarm.start()
    day.advance(by: .days(3))
    #expect(log.lines == ["good morning, 1", "good morning, 2"])
  }

  @Test func countdown() throws {
    let launch = try Countdown(from: 3, every: .seconds(1), clock: .virtual(clock)) {
      [log] _, remainingSteps in
      log.add(remainingSteps == 0 ? "lift-off" : "\(remainingSteps)")
    }
    launch.start()
    clock.advance(by: .seconds(3))
    #expect(log.lines == ["2", "1", "lift-off"])
  }

  @Test func cycle() throws {
    let pomodoro = try Cycle(
      [.init("work", .minutes(25)), .init("rest", .minutes(5))], rounds: 2, clock: .virtual(clock)
    ) { [log] _, tick in
      log.add("\(tick.ended.phase.name) is over: \(tick.begun?.phase.name ?? "done")")
    }
    pomodoro.start()
    clock.advance(by: .hours(2))
    #expect(log.lines == ["work is over: rest", "rest is over: work", "work is over: done"])
  }

  @Test func stopwatch() throws {
    let watch = Stopwatch(clock: .virtual(clock))
    watch.start()
    clock.advance(by: .seconds(61))
    let lap = watch.lap()
    clock.advance(by: .seconds(59))
    #expect(lap?.time == .seconds(61))
    #expect(watch.elapsed == .minutes(2))
  }

  @Test func debouncer() throws {
    let search = try Debouncer<String>(delay: .milliseconds(300), clock: .virtual(clock)) {
      [log] _, text in
      log.add("search for \(text)")
    }
    for text in ["s", "sw", "swift"] {
      search.call(text)
      clock.advance(by: .milliseconds(100))
    }
    clock.advance(by: .seconds(1))
    #expect(log.lines == ["search for swift"])
  }

  @Test func throttler() throws {
    let progress = try Throttler<Int>(interval: .seconds(1), clock: .virtual(clock)) {
      [log] _, percent in
      log.add("\(percent) %")
    }
    for percent in stride(from: 0, through: 100, by: 10) {
      progress.call(percent)
      clock.advance(by: .milliseconds(200))
    }
    clock.advance(by: .seconds(1))
    #expect(log.lines == ["0 %", "40 %", "90 %", "100 %"])
  }

  @Test func keyedDebouncer() throws {
    let save = try KeyedDebouncer<String, Int>(delay: .seconds(1), clock: .virtual(clock)) {
      [log] _, file, version in log.add("save \(file), version \(version)")
    }
    save.call(1, for: "a.txt")
    save.call(1, for: "b.txt")
    save.call(2, for: "a.txt")
    clock.advance(by: .seconds(1))
    #expect(Set(log.lines) == ["save a.txt, version 2", "save b.txt, version 1"])
  }

  @Test func keyedThrottler() throws {
    let notify = try KeyedThrottler<String, String>(interval: .minutes(1), clock: .virtual(clock)) {
      [log] _, room, text in log.add("\(room): \(text)")
    }
    notify.call("hello", for: "kitchen")
    notify.call("hello", for: "garden")
    notify.call("are you there?", for: "kitchen")
    clock.advance(by: .minutes(1))
    #expect(log.lines == ["kitchen: hello", "garden: hello", "kitchen: are you there?"])
  }

  @Test func backgroundTimer() {
    final class Cache: Sendable {
      let timer: BackgroundTimer<Cache>
      let log: Log

      init(on clock: VirtualClock, _ log: Log) {
        timer = BackgroundTimer(clock: .virtual(clock))
        self.log = log
        timer.owner = self
      }

      func store() {
        timer.performExclusively { log.add("store") }
        timer.perform(after: .seconds(1)) { $0.log.add("flush") }
      }
    }
    let cache = Cache(on: clock, log)
    cache.store()
    cache.store()
    clock.advance(by: .seconds(5))
    #expect(log.lines == ["store", "store", "flush"])
  }

  @Test func timeLimited() throws {
    let session = try TimeLimited("ada", for: .minutes(10), clock: .virtual(clock)) {
      [log] _, user in
      log.add("\(user) is logged out")
    }
    clock.advance(by: .minutes(9))
    try session.renew()
    clock.advance(by: .minutes(9))
    #expect(session.value == "ada")
    clock.advance(by: .minutes(1))
    #expect(session.value == nil)
    #expect(throws: TimeLimitedError.expired) { try session.renew() }
    #expect(log.lines == ["ada is logged out"])
  }

  @Test func deadlineTimer() {
    let reminder = DeadlineTimer(clock: .virtual(clock)) { [log] timer, scheduled in
      log.add("reminder")
      if log.lines.count < 2 { timer.schedule(at: scheduled.advanced(by: .minutes(9))) }
    }
    reminder.schedule(at: clock.now.advanced(by: .hours(8)))
    clock.advance(by: .hours(9))
    #expect(log.lines == ["reminder", "reminder"])
  }

  @Test func events() async throws {
    let timer = try Repeater.every(.seconds(1), count: 2, clock: .virtual(clock)) { _, _ in }
    let events = timer.events()
    await clock.advance(by: .seconds(2))
    timer.cancel()
    for await case .delivery(let tick) in events { log.add("tick \(tick.iteration)") }
    #expect(log.lines == ["tick 1", "tick 2"])
  }

  @Test func sleep() async throws {
    try await Task.sleep(for: .milliseconds(1), clock: TimerClock.continuous)
  }
}

/// The output of an example.
final class Log: Sendable {
  private let recorder = Recorder<String>()

  func add(_ line: String) { recorder.append(line) }
  var lines: [String] { recorder.all }
}
