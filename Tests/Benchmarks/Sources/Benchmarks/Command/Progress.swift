import Foundation

/// The share of the samples that are taken and the time left, on standard error: one line on a terminal, and a line
/// every ten seconds elsewhere.
struct Progress {
  let sampleCount: Int
  var samplesTaken = 0

  private let began = ContinuousClock.now
  private let isTerminal = isatty(STDERR_FILENO) == 1
  private var shown: ContinuousClock.Instant?

  init(sampleCount: Int) {
    self.sampleCount = sampleCount
  }

  mutating func show(_ sample: String) {
    let now = ContinuousClock.now
    guard isTerminal || shown.map({ $0.duration(to: now) >= .seconds(10) }) != false else { return }
    shown = now
    let percent = samplesTaken * 100 / max(1, sampleCount)
    let line = "\(percent) %\(timeLeft(at: now)): \(sample)"
    write(isTerminal ? "\r\u{1B}[K\(line)" : "\(line)\n")
  }

  /// Removes the line from a terminal.
  func clear() {
    if isTerminal { write("\r\u{1B}[K") }
  }

  /// Returns the time left, as if the other samples took as long as those until now.
  private func timeLeft(at now: ContinuousClock.Instant) -> String {
    guard samplesTaken > 0 else { return "" }
    let left = began.duration(to: now) * (sampleCount - samplesTaken) / samplesTaken
    let seconds = left.components.seconds
    return seconds < 60 ? ", \(seconds) s left" : ", about \((seconds + 30) / 60) min left"
  }

  private func write(_ text: String) {
    FileHandle.standardError.write(Data(text.utf8))
  }
}
