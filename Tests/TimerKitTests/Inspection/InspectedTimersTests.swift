import Dispatch
import Synchronization
import Testing

@testable import TimerKit
@testable import TimerKitInspector

/// The timers that the inspector shows, and its controls.
@Suite struct InspectedTimersTests {
  @Test func everyKindIsShown() async {
    await #expect(processExitsWith: .success) {
      try await inspecting { path in
        let clock = VirtualClock()
        let virtual = TimerClock.virtual(clock)
        let repeater = try Repeater(interval: .seconds(10), mode: .finite(5), clock: virtual) {
          _, _ in
        }
        let countdown = try Countdown(from: 3, every: .seconds(1), clock: virtual) { _, _ in }
        let cycle = try Cycle(
          [.init("work", .seconds(25)), .init("rest", .seconds(5))], rounds: 4, clock: virtual
        ) { _, _ in }
        let stopwatch = Stopwatch(clock: virtual)
        let debouncer = try Debouncer<Int>(delay: .seconds(1), clock: virtual) { _, _ in }
        let throttler = try Throttler<Int>(interval: .seconds(2), clock: virtual) { _, _ in }
        let background = BackgroundTimer(for: repeater, clock: virtual)
        let deadline = DeadlineTimer(clock: virtual) { _, _ in }
        let limited = try TimeLimited(1, for: .seconds(30), clock: virtual)
        let keyed = try KeyedDebouncer<Int, Int>(delay: .seconds(2), clock: virtual) { _, _, _ in }
        let batcher = try Batcher<Int>(maxWait: .seconds(5), clock: virtual) { _, _ in }
        let rate = try RateLimiter(limit: 10, per: .seconds(1), burst: 3, clock: virtual)
        let rates = try KeyedRateLimiter<Int>(limit: 10, per: .seconds(1), clock: virtual)
        let function = try DebouncedFunction(delay: .seconds(1), clock: virtual) { (_: Int) in }
        repeater.start()
        cycle.start()
        clock.advance(by: .seconds(10))
        cycle.pause()
        stopwatch.start()
        debouncer.call(1)
        throttler.call(1)
        background.perform(after: .seconds(3)) { _ in }
        deadline.schedule(after: .seconds(4))
        keyed.call(1, for: 1)
        batcher.add(1)
        #expect(rate.tryAcquire() == .acquired)
        TimerInspector.label("repeater", repeater)
        TimerInspector.label("countdown", countdown)
        TimerInspector.label("cycle", cycle)
        TimerInspector.label("stopwatch", stopwatch)
        TimerInspector.label("debouncer", debouncer)
        TimerInspector.label("throttler", throttler)
        TimerInspector.label("background", background)
        TimerInspector.label("deadline", deadline)
        TimerInspector.label("limited", limited)
        TimerInspector.label("keyed", keyed)
        TimerInspector.label("batcher", batcher)
        TimerInspector.label("rate", rate)
        TimerInspector.label("rate", rates)
        TimerInspector.label("function", function)

        let page = try InspectorClient(path).page()
        let s = "000000000"
        let rows = page.timers.map { $0[2...12].joined(separator: ",") }
        #expect(
          rows == [
            "background,background,pending,,,,3\(s),,0,,0",
            "batcher,batcher,pending,,,5\(s),5\(s),,0,,0",
            "countdown,countdown,idle,3,3,1\(s),,,0,0,0",
            "cycle,cycle,paused,4,4,25\(s),15\(s),,0,0,0",
            "deadline,deadline,running,,,,4\(s),,0,,0",
            "debouncer,debouncer,pending,,,1\(s),1\(s),,0,,0",
            "debouncer,function,idle,,,1\(s),,,0,,0",
            "keyed,keyed,pending,,,2\(s),2\(s),,0,,0",
            "limited,limited,running,,,30\(s),20\(s),,0,,0",
            "rate,rate,idle,2,3,100000000,,,,,", "rate,rate,idle,,,,,,,,",
            "repeater,repeater,running,4,5,10\(s),10\(s),0,1,0,0",
            "stopwatch,stopwatch,running,,,,,,0,,0",
            "throttler,throttler,idle,,,2\(s),,,1,,0",
          ])
        #expect(Set(page.numbers).count == 14 && page.numbers.allSatisfy { Int($0) ?? 0 > 0 })
        #expect(page.timers.allSatisfy { $0[14].hasPrefix("InspectedTimersTests.swift:") })
        #expect(page.totals[0] == 14 && page.totals[1] == 14)
        withExtendedLifetime((repeater, countdown, stopwatch, limited, rate, rates, function)) {}
      }
    }
  }

  /// Without a label, a timer is shown with its kind when it has been armed; its queue in any case.
  @Test func timersWithoutALabelAreShownOnceTheyHaveBeenArmed() async {
    await #expect(processExitsWith: .success) {
      try await inspecting { path in
        let queue = DispatchQueue(label: "a\tqueue")
        let timer = try Repeater(interval: .hours(1), queue: queue) { _, _ in }
        let client = try InspectorClient(path)
        #expect(try client.page().totals[0...2] == [0, 0, 0])
        timer.start()
        let page = try client.page()
        #expect(page.totals[0...2] == [1, 1, 1])
        let row = try #require(page.timers.first)
        #expect(row[2...4] == ["repeater", "", "running"])
        #expect(row[13...14] == ["a\u{FFFD}queue", ""])
        let left = try #require(Int(row[8]))
        #expect(left <= 3_600_000_000_000 && left > 0)
        timer.pause()
        #expect(try client.page().totals[0] == 1)
        #expect(try client.page().numbers == page.numbers)
        timer.cancel()
        #expect(try client.page().totals[0...2] == [0, 0, 0])
      }
    }
  }

  @Test func timersAreOrderedFilteredAndPaged() async {
    await #expect(processExitsWith: .success) {
      try await inspecting { path in
        let clock = VirtualClock()
        let timers = try (0..<300).map { index in
          let interval = Duration.seconds(300 - index)
          let timer = try Repeater(interval: interval, clock: .virtual(clock)) { _, _ in }
          timer.start()
          TimerInspector.label("Timer \(1000 + index)", timer)
          return timer
        }
        let names = (1000..<1300).map { "Timer \($0)" }
        let client = try InspectorClient(path)
        #expect(try client.page().labels == Array(names.prefix(200)))
        #expect(try client.page(offset: 290).labels == Array(names.suffix(10)))
        #expect(try client.page(offset: 300).labels == [])
        #expect(try client.page(offset: 200_000).labels == [])
        #expect(try client.page(count: 0).totals[0...2] == [300, 300, 300])
        #expect(
          try client.page(offset: 1, count: 2, isReversed: true).labels
            == ["Timer 1298", "Timer 1297"])
        #expect(
          try client.page(count: 3, order: "deadline").labels
            == ["Timer 1299", "Timer 1298", "Timer 1297"])
        #expect(
          try client.page(count: 2, order: "deadline", isReversed: true).labels
            == ["Timer 1000", "Timer 1001"])
        let found = try client.page("tIMER 125", offset: 4, count: 3)
        #expect(found.labels == ["Timer 1254", "Timer 1255", "Timer 1256"])
        #expect(found.totals[0...1] == [300, 10])
        #expect(try client.page("REPEAT", count: 1).totals[1] == 300)
        #expect(try client.page("nothing").totals[1] == 0)

        timers[7].pause()
        timers[8].cancel()
        #expect(
          try client.page(count: 2, order: "state").timers.map { $0[3...4] }
            == [["Timer 1008", "cancelled"], ["Timer 1007", "paused"]])
        #expect(try client.page(order: "state", isReversed: true).timers.first?[4] == "running")
        // Only the last timer, whose interval is a second, has fired.
        clock.advance(by: .seconds(1))
        #expect(
          try client.page(count: 1, order: "lateness", isReversed: true).timers.first?[9] == "0")
        #expect(try client.page(count: 1, order: "lateness").timers.first?[9] == "")
        withExtendedLifetime(timers) {}
      }
    }
  }

  @Test func aLabelCannotHarmTheReply() async {
    await #expect(processExitsWith: .success) {
      try await inspecting { path in
        let timer = Stopwatch()
        let client = try InspectorClient(path)
        let texts = [
          ("a\tb\nc\r\nd\u{0}\u{1B}[2J\u{7F}\u{85}e", "a_b_c__d__[2J__e"),
          (String(repeating: "x", count: 199), String(repeating: "x", count: 199)),
          (String(repeating: "x", count: 200), String(repeating: "x", count: 200)),
          (String(repeating: "x", count: 201), String(repeating: "x", count: 200)),
          (String(repeating: "é", count: 101), String(repeating: "é", count: 100)),
          ("x" + String(repeating: "é", count: 100), "x" + String(repeating: "é", count: 99)),
          (String(repeating: "\n", count: 1000), String(repeating: "_", count: 66)),
          ("", ""), ("\n\n", "__"),
        ]
        for (text, shown) in texts {
          TimerInspector.label(text, timer)
          let page = try client.page()
          #expect(page.labels == [shown.replacing("_", with: "\u{FFFD}")])
        }
      }
    }
  }

  @Test func labelsAreForgottenWithTheirTimers() async {
    await #expect(processExitsWith: .success) {
      let early = Stopwatch()
      TimerInspector.label("early", early)
      try await inspecting { path in
        let kept = Stopwatch()
        TimerInspector.label("kept", kept)
        for _ in 0..<10_000 { TimerInspector.label("brief", Stopwatch()) }
        for index in 0..<1000 { TimerInspector.label("kept \(index)", kept) }
        let client = try InspectorClient(path)
        #expect(try client.page().labels == ["kept 999"])
        // The entries are those since the table was searched last.
        let isLong = TimerInspector.labels.withLock {
          $0?.timers(200..<201, leavesOutListed: false) != nil
        }
        #expect(!isLong)
        TimerInspector.label("not a timer", Recorder<Int>())
        #expect(try client.page().totals[0] == 1)
      }
      let isForgotten = TimerInspector.labels.withLock { $0 == nil }
      #expect(isForgotten)
      withExtendedLifetime(early) {}
    }
  }

  @Test func controlsAreRefusedUnlessTheyAreAllowed() async {
    await #expect(processExitsWith: .success) {
      try await inspecting { path in
        let timer = try Repeater.every(.hours(1)) { _, _ in }
        let client = try InspectorClient(path)
        let number = try #require(try client.page().numbers.first)
        #expect(client.ask("control\t\(number)\tpause") == ["refused\tcontrols are not allowed"])
        #expect(timer.state == .running)
      }
      try await inspecting(allowsControl: true) { path in
        let clock = VirtualClock()
        let timer = try Repeater.every(.hours(1), clock: .virtual(clock)) { _, _ in }
        let debouncer = try Debouncer<Int>(delay: .hours(1), clock: .virtual(clock)) { _, _ in }
        let rate = try RateLimiter(limit: 1, per: .seconds(1))
        debouncer.call(1)
        TimerInspector.label("1", timer)
        TimerInspector.label("2", debouncer)
        TimerInspector.label("3", rate)
        let client = try InspectorClient(path)
        let numbers = try client.page().numbers
        func control(_ index: Int, _ action: String) -> [String]? {
          client.ask("control\t\(numbers[index])\t\(action)")
        }
        #expect(control(0, "pause") == ["ok"] && timer.state == .paused)
        #expect(control(0, "fire") == ["ok"] && timer.snapshot.deliveredCount == 1)
        #expect(control(0, "resume") == ["ok"] && timer.state == .running)
        #expect(control(0, "reset") == ["ok"] && timer.state == .idle)
        #expect(control(0, "pause") == ["refused\tthe timer is idle"])
        #expect(control(0, "fly") == ["error\tinvalid control"])
        #expect(control(1, "fire") == ["ok"] && debouncer.snapshot.deliveredCount == 1)
        #expect(control(1, "fire") == ["refused\tthere is nothing to fire"])
        #expect(control(1, "pause") == ["refused\ta debouncer has no pause"])
        #expect(control(2, "fire") == ["refused\ta rate has no fire"])
        for wrong in ["0", "18446744073709551615"] {
          #expect(client.ask("control\t\(wrong)\tpause") == ["refused\tno such timer"])
        }
        for wrong in ["-1", "", "x", "18446744073709551616"] {
          #expect(client.ask("control\t\(wrong)\tpause") == ["error\tinvalid control"])
        }
        timer.cancel()
        #expect(control(0, "resume") == ["refused\tthe timer was cancelled"])
      }
    }
  }

  /// A client that asks no more, such as a suspended one, keeps nothing of what it has been shown.
  @Test func anOpenPageKeepsNoQueueAlive() async {
    await #expect(processExitsWith: .success) {
      try await inspecting { path in
        let client = try InspectorClient(path)
        weak var released: DispatchQueue?
        do {
          let queue = DispatchQueue(label: "brief")
          released = queue
          let timer = try Repeater.every(.hours(1), queue: queue) { _, _ in }
          #expect(try client.page().totals[0] == 1)
          timer.cancel()
        }
        while released != nil { await Task.yield() }
        #expect(client.ask("hello")?.count == 1)
      }
    }
  }

  /// A page that is still open shows a timer that has been armed since, also after another scan.
  @Test func aTimerKeepsItsPlaceWhenItIsArmed() async {
    await #expect(processExitsWith: .success) {
      try await inspecting { _ in
        let timer = try Repeater(interval: .hours(1)) { _, _ in }
        TimerInspector.label("idle", timer)
        let earlier = AllTimers()
        var places: [(source: Int, slot: Int)] = []
        earlier.visit { listed in
          places.append((listed.source, listed.slot.slot))
          return true
        }
        let place = try #require(places.first)
        #expect(places.count == 1 && place.source == -1)
        timer.start()
        var count = 0
        AllTimers().visit { _ in
          count += 1
          return true
        }
        #expect(count == 1)
        let shown = earlier.timers(place.source, place.slot..<place.slot + 1)
        #expect(shown?.first?.label?.text == "idle")
      }
    }
  }

  @Test func firesAreCountedWhileSomebodyIsAttached() async {
    await #expect(processExitsWith: .success) {
      try await inspecting { path in
        let timer = try Repeater.every(.microseconds(100)) { _, _ in }
        while timer.snapshot.deliveredCount < 3 { await Task.yield() }
        let client = try InspectorClient(path)
        #expect(Inspection.fireCounts.count == 0)
        var page = try client.page()
        while page.totals[3] ?? 0 < 10 || page.totals[5] ?? 0 == 0 { page = try client.page() }
        let isAttached = Inspection.isAttached.load(ordering: .relaxed)
        #expect(isAttached)
        // Five seconds after the last page, it counts no more.
        while Inspection.isAttached.load(ordering: .relaxed) { await Task.yield() }
        let count = Inspection.fireCounts.count
        let delivered = timer.snapshot.deliveredCount
        while timer.snapshot.deliveredCount < delivered + 10 { await Task.yield() }
        // A fire that had begun may be counted.
        #expect(Inspection.fireCounts.count <= count + 1)
        let next = try client.page()
        #expect(try #require(next.totals[4]) >= 0)
      }
    }
  }

  @Test func aHundredThousandTimersFireWhileTheyAreShown() async {
    await #expect(processExitsWith: .success) {
      try await inspecting { path in
        let count = 100_000
        let timers = try (0..<count).map { index in
          let timer = try Repeater.every(.milliseconds(500 + index % 1000)) { _, _ in }
          TimerInspector.label("load \(100_000 + index)", timer)
          return timer
        }
        let client = try InspectorClient(path)
        #expect(try client.page(offset: 99_900).labels.last == "load 199999")
        #expect(try client.page(offset: 100_000).labels.isEmpty)
        var isReversed = false
        var fired = 0
        while fired < 1000 {
          for order in ["name", "deadline", "state", "lateness"] {
            let page = try client.page(offset: 500, order: order, isReversed: isReversed)
            #expect(page.totals[0...1] == [count, count])
            #expect(page.timers.count == 200 && Set(page.numbers).count == 200)
            fired = page.totals[3] ?? 0
          }
          isReversed.toggle()
        }
        #expect(try client.page("load 1234").totals[1] == 100)
        #expect(timers.count == count)
      }
    }
  }

  @Test func theLatenessIsThatOfTheNewestThousand() async {
    await #expect(processExitsWith: .success) {
      #expect(Inspection.fireCounts == (0, nil))
      Inspection.record(lateness: 7)
      #expect(Inspection.fireCounts == (1, 7))
      for lateness: Int64 in 1...99 { Inspection.record(lateness: lateness) }
      #expect(Inspection.fireCounts == (100, 98))
      for _ in 0..<1024 { Inspection.record(lateness: 5) }
      #expect(Inspection.fireCounts == (1124, 5))
      for _ in 0..<11 { Inspection.record(lateness: 6) }
      #expect(Inspection.fireCounts == (1135, 6))
    }
  }
}
