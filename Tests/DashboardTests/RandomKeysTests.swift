import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Whatever is pressed, in whatever size: nothing traps, and the picture is right.
@Suite struct RandomKeysTests {
  @Test(arguments: [11, 12, 13, 14, 15, 16, 17, 18])
  func nothingTrapsAndEverythingAgrees(_ seed: UInt64) throws {
    let options = DisplayOptions(isASCII: seed % 2 == 0, showsTenths: seed % 3 == 0)
    var play = try RandomPlay(seed: seed, options: options)
    for step in 0..<3_000 {
      play.step()
      let dashboard = play.stage.dashboard
      #expect(dashboard.disagreement == nil, "step \(step)")
      if step % 4 == 0 { checkFrame(of: play.stage, "step \(step)") }
      if step % 50 == 0 { checkMirrors(of: play.stage, "step \(step)") }
    }
  }

  private func checkFrame(of stage: Stage, _ step: String) {
    let dashboard = stage.dashboard
    let frame = stage.frame
    #expect(frame.size == dashboard.size, "\(step)")
    if dashboard.options.isASCII { #expect(frame.isASCII, "\(step)") }
    if let cursor = frame.cursor { #expect(frame.bounds.contains(cursor), "\(step)") }
    #expect(
      (frame.cursor == nil) == (dashboard.scope != .prompt || frame.bounds.isEmpty), "\(step)")
    guard dashboard.help == nil, dashboard.screen == .board, let row = dashboard.selectedRow,
      frame.size.width >= 20
    else {
      return
    }
    // The selected timer is seen, unless a prompt leaves no room.
    let layout = ScreenLayout(of: dashboard)
    guard layout.body.height > 0 else { return }
    let marked = (layout.body.y..<layout.body.maxY).filter { y in
      (0..<3).contains { x in
        [dashboard.symbols.selection, dashboard.symbols.selectedMark].contains(frame[x, y].text)
      }
    }
    #expect(marked.count == 1, "\(step)")
    if let y = marked.first, let time = dashboard.timeText(of: row, at: stage.now) {
      #expect(frame.lines[y].contains(time), "\(step)")
    }
  }

  /// Every row is what its timer is.
  private func checkMirrors(of stage: Stage, _ step: String) {
    for row in stage.dashboard.rows.all {
      let isSame = row.status == stage.status(of: row.id)
      #expect(isSame, "\(step): \(row.label)")
    }
  }
}
