import TerminalCore
import TimerBoard
import TimerKit

/// The bar of a row.
extension Frame {
  private func barRole(of row: BoardTimer) -> Role {
    if row.needsAttention { return .alert }
    switch row.state {
    case .running:
      let role = runningRole(of: row)
      return isUrgent(row) ? .urgent : role == .running ? .bar : role
    case .paused, .idle: return .pausedBar
    case .finished, .cancelled: return .finishedBar
    }
  }

  /// Draws the bar of a row: the elapsed part of its period, or of all phases of a cycle, on a track; the laps of a
  /// stopwatch; nothing for a timer that has nothing to fill, such as an alarm.
  func drawBar(of row: BoardTimer, x: Int, width: Int, y: Int) {
    guard width > 0, row.hasBar else { return }
    if row.machine.countsUp { return drawLaps(of: row, x: x, width: width, y: y) }
    let part = progress(of: row)
    guard let phase = row.machine.phaseNumbers, let count = phase.count, count > 0,
      count < width / 4
    else {
      return drawBar(part, barRole(of: row), x: x, width: width, y: y)
    }
    drawPhases(count, phase.current, of: row, part, x: x, width: width, y: y)
  }

  /// Draws all phases of a cycle in their colors, each as long as its share, with a cell between them.
  private func drawPhases(
    _ count: Int, _ current: Int, of row: BoardTimer, _ part: Double, x: Int, width: Int, y: Int
  ) {
    let phases = row.machine.phases
    let seconds = (0..<count).map { phases[$0 % phases.count].duration / .seconds(1) }
    let room = Double(max(0, width - count + 1))
    let all = seconds.reduce(0, +)
    var (before, start) = (0.0, x)
    for index in 0..<count {
      before += seconds[index]
      let end = x + index + Int((before / all * room).rounded())
      let isCurrent = index == current && row.state != .finished
      let role =
        isCurrent
        ? barRole(of: row)
        : row.state == .running ? Role(phase: index % phases.count) : barRole(of: row)
      drawBar(
        isCurrent ? part : index < current || row.state == .finished ? 1 : 0, role,
        x: start, width: max(0, end - start), y: y)
      start = end + 1
    }
  }

  /// Draws the laps of a stopwatch as ticks, in proportion to the time so far.
  private func drawLaps(of row: BoardTimer, x: Int, width: Int, y: Int) {
    guard let elapsed = row.machine.elapsed(at: step), elapsed > .zero else {
      return
    }
    canvas.fill(
      Rect(x: x, y: y, width: width, height: 1), with: symbols.bar.dots, style: theme[.track])
    for lap in row.machine.laps {
      // A session file can have a lap that is longer than the whole time.
      let part = min(1, max(0, lap.total / elapsed))
      let column = min(width - 1, Int(part * Double(width)))
      write(symbols.bar.tick, .elapsed, x: x + column, y: y)
    }
  }

  /// Returns the elapsed part of the period at the start of the display step.
  private func progress(of row: BoardTimer) -> Double {
    if row.state == .cancelled { return row.period == nil ? 0 : 1 }
    let left = row.machine.deadline.map { step.duration(to: $0) } ?? row.machine.pausedTimeLeft
    return row.machine.progress(in: row.period, left: left)
  }
}

extension BoardTimer {
  /// A Boolean value that indicates whether a bar has something to fill: not for an alarm, which is for a time of day.
  var hasBar: Bool { machine.period != nil || !machine.laps.isEmpty }
}
