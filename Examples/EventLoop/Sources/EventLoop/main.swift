// Timers in an event loop of its own: one thread, poll(2), no queue, no lock, no handler. It reads commands from standard
// input: `tea 180` starts a timer of 180 seconds, and so does `tea` again; `pause tea`, `resume tea` and `drop tea` change
// it; `undo` takes the last command back, as if it had not been.
import TimerKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#else
  import Musl
#endif

struct EventLoop {
  private let clock = TimerClock.suspending
  private var timers = TimerQueue<String, Repeater.Value>()
  /// The timers before each command: a copy of a value is an undo step.
  private var steps: [TimerQueue<String, Repeater.Value>] = []
  /// The beginning of a line that has not come whole.
  private var input: [UInt8] = []

  mutating func run() {
    while true {
      var descriptor = pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0)
      let events = poll(&descriptor, 1, milliseconds(until: timers.wakeUp))
      deliver()
      if events > 0, !readCommands() { return }
    }
  }

  /// Performs the lines that have come. They are read without a buffer of the C library, in which `poll` sees none.
  /// - Returns: false at the end of the input.
  private mutating func readCommands() -> Bool {
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = read(STDIN_FILENO, &bytes, bytes.count)
    guard count > 0 else { return false }
    input += bytes.prefix(count)
    while let end = input.firstIndex(of: UInt8(ascii: "\n")) {
      let line = String(decoding: input[..<end], as: UTF8.self)
      input.removeSubrange(...end)
      perform(line.split(separator: " ").map(String.init))
    }
    return true
  }

  /// The time until a wake-up, for `poll`: rounded up, so that it does not return too early; -1 without a wake-up.
  private func milliseconds(until wakeUp: ClosedRange<TimerClock.Instant>?) -> Int32 {
    guard let wakeUp else { return -1 }
    let nanoseconds = wakeUp.lowerBound.nanoseconds - clock.now.nanoseconds
    return Int32(clamping: max(0, nanoseconds / 1_000_000 + 1))
  }

  private mutating func deliver() {
    let now = clock.now
    while let next = timers.advance(to: now) {
      print("\(next.id): \(next.delivery)")
    }
  }

  private mutating func perform(_ words: [String]) {
    let now = clock.now
    let before = timers
    switch (words.first, words.dropFirst().first) {
    case ("undo", nil):
      guard let last = steps.popLast() else { return print("nothing to undo") }
      timers = last
      // The time has passed for these timers, too. What was due meanwhile is not delivered again.
      for name in Array(timers.ids) { timers[name]?.catchUp(to: now) }
      return
    case ("pause", let name?): print(timers[name]?.pause(at: now) ?? .unchanged)
    case ("resume", let name?): print(timers[name]?.start(at: now) ?? .unchanged)
    case ("drop", let name?): timers[name] = nil
    case (let name?, nil): print(timers[name]?.restart(at: now) ?? .unchanged)
    case (let name?, let seconds?): start(name, seconds, at: now)
    case (nil, _): return
    }
    steps.append(before)
  }

  private mutating func start(_ name: String, _ seconds: String, at now: TimerClock.Instant) {
    do {
      var timer = try Repeater.Value(interval: .seconds(Double(seconds) ?? 0), mode: .once)
      timer.start(at: now)
      timers[name] = timer
    } catch {
      print(error)
    }
  }
}

var loop = EventLoop()
loop.run()
