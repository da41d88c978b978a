import TerminalCore
import TimerBoard
import TimerKit

/// The bar of a row.
extension Painter {
  /// Draws the bar of a row: the elapsed part of its period, or of all phases of a cycle, on a track; the laps of a
  /// stopwatch; nothing for a timer that has nothing to fill.
  final func drawBar(of row: Row, x: Int, width: Int, y: Int) {
    guard width > 0 else { return }
    switch row.progress {
    case .bar(let part, let role)?: drawBar(part, role, x: x, width: width, y: y)
    case .phases(let phases)? where phases.count < width / 4:
      draw(phases, x: x, width: width, y: y)
    case .phases(let phases)?: drawBar(phases.part, phases.role, x: x, width: width, y: y)
    case .laps(let laps)?: drawLaps(laps, x: x, width: width, y: y)
    case .counts?, nil: break
    }
  }

  /// Draws all phases of a cycle in their colors, each as long as its share, with a cell between them.
  private func draw(_ phases: Row.Phases, x: Int, width: Int, y: Int) {
    let seconds = (0..<phases.count).map { phases.seconds[$0 % phases.seconds.count] }
    let room = Double(max(0, width - phases.count + 1))
    let all = seconds.reduce(0, +)
    let isFinished = phases.state == .finished
    var (before, start) = (0.0, x)
    for index in seconds.indices {
      before += seconds[index]
      let end = x + index + Int((before / all * room).rounded())
      let isCurrent = index == phases.current && !isFinished
      let role =
        !isCurrent && phases.state == .running
        ? Role(phase: index % phases.seconds.count) : phases.role
      drawBar(
        isCurrent ? phases.part : index < phases.current || isFinished ? 1 : 0, role,
        x: start, width: max(0, end - start), y: y)
      start = end + 1
    }
  }

  /// Draws the laps of a stopwatch as ticks.
  private func drawLaps(_ laps: [Double], x: Int, width: Int, y: Int) {
    canvas.fill(
      Rect(x: x, y: y, width: width, height: 1), with: symbols.bar.dots, style: theme[.track])
    for part in laps {
      let column = min(width - 1, Int(part * Double(width)))
      write(symbols.bar.tick, .elapsed, x: x + column, y: y)
    }
  }
}
