import Platform
import TerminalCore
import TimerBoard
import TimerKit

/// The line of `carillon run --progress` on the terminal of standard error. It is drawn again when it changes, at most
/// once a second by itself.
@MainActor
final class ProgressLine {
  private static let descriptor = STDERR_FILENO

  /// The clock that wakes it. The line can change while the machine sleeps.
  private static let clock = TimerClock.continuous

  private let errors: OutputQueue
  /// Returns the timers to show; `nil` while there is nothing to show.
  private let timers: @MainActor () -> TimerList?
  private lazy var timer = DeadlineTimer(clock: Self.clock, isolation: MainActor.shared) {
    [weak self] _, _ in self?.draw()
  }
  /// The text on the terminal.
  private var shown = ""
  /// The width of the terminal when it was written.
  private var shownColumns = 0
  private var isEnded = false

  /// - Returns: `nil` if standard error is no terminal, or one that cannot draw a line again.
  init?(on errors: OutputQueue, timers: @escaping @MainActor () -> TimerList?) {
    let terminal = Program.environment["TERM"] ?? ""
    guard isatty(Self.descriptor) == 1, terminal != "", terminal != "dumb" else { return nil }
    self.errors = errors
    self.timers = timers
  }

  /// Draws the line again after the current event. Several requests are merged into one.
  func refresh() {
    if !isEnded { timer.schedule(at: Self.clock.now) }
  }

  /// Removes the line from the terminal, before other output.
  func erase() {
    guard !shown.isEmpty else { return }
    _ = errors.write("\r\u{1b}[K")
    shown = ""
  }

  /// Removes the line for good.
  func end() {
    isEnded = true
    timer.unschedule()
    erase()
  }

  /// Removes a line that was written in another width: a terminal that became narrower has broken it.
  private func eraseIfBroken(at columns: Int) {
    defer { shownColumns = columns }
    guard !shown.isEmpty, columns != shownColumns else { return }
    let rows = (shown.cellWidth - 1) / columns
    _ = errors.write("\r" + (rows > 0 ? "\u{1b}[\(rows)A" : "") + "\u{1b}[J")
    shown = ""
  }

  private func draw() {
    guard !isEnded else { return }
    // A background job would write over the output of the foreground job. SIGCONT draws the line again.
    let group = tcgetpgrp(Self.descriptor)
    guard group == -1 || group == getpgrp(), let timers = timers() else { return erase() }
    let now = ClockReading.now()
    let columns = max(1, terminalColumns(of: Self.descriptor) ?? 80)
    // The signal of the new size may come later than this drawing.
    eraseIfBroken(at: columns)
    // The last column stays free: terminals differ in whether a character there wraps the line.
    let progress = ProgressText(
      timers, at: now, columns: max(1, columns - 1), uses24Hours: Program.uses24Hours,
      isUTF8: Program.usesUTF8)
    if progress.text.isEmpty {
      erase()
    } else if progress.text != shown {
      _ = errors.write("\r\(progress.text)\u{1b}[K")
      shown = progress.text
    }
    guard let next = progress.nextChange else { return }
    timer.schedule(at: Self.clock.now.advanced(by: now.suspending.duration(to: next)))
  }
}

/// The progress of `carillon run` in one line: the timer that fires next, its time left, a bar, its iteration, the time
/// of day of its end, and the number of other timers that run or are paused.
struct ProgressText {
  /// The widest bar.
  private static let longestBar = 30
  /// The narrowest bar; a narrower one shows too little.
  private static let shortestBar = 6
  private static let longestName = 24
  private static let second = Duration.seconds(1)

  /// The line, at most `columns` cells wide; empty if there is nothing to show.
  let text: String
  /// The instant on the suspending clock at which the line changes by itself; `nil` if it does not.
  let nextChange: TimerClock.Instant?

  init(_ timers: TimerList, at now: ClockReading, columns: Int, uses24Hours: Bool, isUTF8: Bool) {
    guard
      let timer = timers.next(at: now) ?? timers.all.first(where: { $0.state == .running })
        ?? timers.all.first(where: { $0.state == .paused }),
      let time = timer.timeText(at: now)
    else {
      (text, nextChange) = ("", nil)
      return
    }
    // A timer that stands ready is not counted as paused.
    let others =
      timers.count(of: .running) + timers.count(of: .paused) - (timer.standsReady ? 0 : 1)
    // The most important detail first: the last one is left out first.
    var details = [
      Self.iteration(of: timer) ?? Self.round(of: timer, in: timers),
      Self.end(of: timer, at: now, uses24Hours: uses24Hours),
      others > 0 ? "+\(others) more" : nil,
    ].compactMap { $0?.printable() }
    let name = timer.spec.title.printable().truncated(
      to: min(Self.longestName, max(1, columns / 3)))
    let widest = TimeText.clockWidth(
      timer.longestTime.clampedNanoseconds / 1_000_000_000, showsTenths: false)
    let left = name + "  " + String(repeating: " ", count: max(0, widest - time.cellWidth)) + time
    func width() -> Int { details.reduce(left.cellWidth) { $0 + 2 + $1.cellWidth } }
    while width() > columns, !details.isEmpty { details.removeLast() }
    var parts = [left] + details
    let room = min(Self.longestBar, columns - width() - 2)
    if room >= Self.shortestBar, let done = timer.progress(at: now) {
      let full = min(room, max(0, Int(done * Double(room))))
      let cells = isUTF8 ? ("━", "─") : ("=", "-")
      parts.insert(
        String(repeating: cells.0, count: full) + String(repeating: cells.1, count: room - full),
        at: 1)
    }
    let line = parts.joined(separator: "  ").truncated(to: columns)
    text = isUTF8 ? line : line.replacing("…", with: "~").replacing("×", with: "x")
    nextChange = Self.nextChange(of: timer, at: now)
  }

  /// Returns the iteration, `3 of 8`, or the phase and the round of a cycle.
  private static func iteration(of timer: BoardTimer) -> String? {
    if !timer.machine.phases.isEmpty {
      return timer.machine.phaseName.flatMap { phase in
        timer.machine.roundText.map { $0.contains(" of ") ? "\(phase), \($0)" : phase }
      }
    }
    guard case .counted(let left, let count) = timer.machine.iterations, count > 1 else {
      return nil
    }
    return "\(min(count, count - left + 1)) of \(count)"
  }

  /// Returns the round of a chain with a count.
  private static func round(of timer: BoardTimer, in timers: TimerList) -> String? {
    let isHead = timer.chain.head == nil
    guard let head = isHead ? timer : timer.chain.head.flatMap({ timers[$0] }),
      let count = head.chainCount
    else { return nil }
    return "round \(min(count, head.chain.roundsDone + (isHead ? 1 : 0))) of \(count)"
  }

  /// Returns the time of day at which the timer ends or, without an end, fires next; `paused` for a paused timer.
  private static func end(
    of timer: BoardTimer, at now: ClockReading, uses24Hours: Bool
  ) -> String? {
    guard timer.state == .running else { return timer.state == .paused ? "paused" : nil }
    let next = timer.machine.deadline.map { now.wallInstant(of: $0) }
    let end = timer.end(at: now)
    // To the nearest second: it must not change because the clocks are read one after the other.
    guard let time = (end ?? next)?.advanced(by: .milliseconds(500)) else { return nil }
    return (end == nil ? "next " : "ends ") + time.dateAndTime(at: now, uses24Hours: uses24Hours)
  }

  /// Returns the instant at which the time changes by a second.
  private static func nextChange(of timer: BoardTimer, at now: ClockReading) -> TimerClock.Instant?
  {
    if let origin = timer.stopwatchOrigin(at: now) {
      let seconds = origin.duration(to: now.suspending).clampedNanoseconds / 1_000_000_000
      return origin.advanced(by: second * Int(max(0, seconds) + 1))
    }
    guard let due = timer.due(at: now) else { return nil }
    let left = now.suspending.duration(to: due)
    // The time is rounded up.
    guard left > second else { return due }
    return due.advanced(by: .zero - second * Int((left.clampedNanoseconds - 1) / 1_000_000_000))
  }
}
