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
  private let uses24Hours: Bool
  private let isUTF8: Bool
  /// Returns the timers to show; `nil` while there is nothing to show.
  private let timers: @MainActor () -> TimerList?
  private var timer: DeadlineTimer?
  /// The text on the terminal.
  private var shown = ""
  /// The width of the terminal when it was written.
  private var shownColumns = 0
  private var isEnded = false

  /// - Returns: `nil` if standard error is no terminal, or one that cannot draw a line again.
  init?(
    on errors: OutputQueue, uses24Hours: Bool, environment: [String: String],
    timers: @escaping @MainActor () -> TimerList?
  ) {
    let terminal = environment["TERM"] ?? ""
    guard isatty(Self.descriptor) == 1, terminal != "", terminal != "dumb" else { return nil }
    self.errors = errors
    self.uses24Hours = uses24Hours
    self.timers = timers
    isUTF8 = CharacterEncoding.isUTF8(environment: environment)
    timer = DeadlineTimer(clock: Self.clock, isolation: MainActor.shared) { [weak self] _, _ in
      self?.draw()
    }
  }

  /// Draws the line again after the current event. Several requests are merged into one.
  func refresh() {
    if !isEnded { timer?.schedule(at: Self.clock.now) }
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
    timer?.unschedule()
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
      timers, at: now, columns: max(1, columns - 1), uses24Hours: uses24Hours, isUTF8: isUTF8)
    if progress.text.isEmpty {
      erase()
    } else if progress.text != shown {
      _ = errors.write("\r\(progress.text)\u{1b}[K")
      shown = progress.text
    }
    guard let next = progress.nextChange else { return }
    timer?.schedule(at: Self.clock.now.advanced(by: now.suspending.duration(to: next)))
  }
}
