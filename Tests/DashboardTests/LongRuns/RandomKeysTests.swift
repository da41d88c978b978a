import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Random keys in random sizes: nothing traps, and every frame is valid.
@Suite struct RandomKeysTests {
  @Test(arguments: [11, 12, 13, 14, 15, 16, 17, 18])
  func randomKeysKeepTheDashboardConsistent(_ seed: UInt64) throws {
    let options = DisplayOptions(isASCII: seed % 2 == 0, showsTenths: seed % 3 == 0)
    var run = try RandomRun(seed: seed, options: options)
    for step in 0..<800 {
      run.step()
      let dashboard = run.fixture.dashboard
      #expect(dashboard.inconsistency == nil, "step \(step)")
      if step % 4 == 0 { checkFrame(of: run.fixture, "step \(step)") }
    }
  }

  private func checkFrame(of fixture: Fixture, _ step: String) {
    let dashboard = fixture.dashboard
    let frame = fixture.frame
    #expect(frame.size == dashboard.size, "\(step)")
    if dashboard.options.isASCII { #expect(frame.isASCII, "\(step)") }
    if let cursor = frame.cursor { #expect(frame.bounds.contains(cursor), "\(step)") }
    #expect(
      (frame.cursor == nil) == (dashboard.scope != .prompt || frame.bounds.isEmpty), "\(step)")
    guard dashboard.helpOffset == nil, dashboard.commandPrompt == nil, dashboard.view == .board,
      let row = dashboard.selectedRow,
      frame.size.width >= 20
    else {
      return
    }
    // The selected timer is visible unless a prompt leaves no space or the palette covers it.
    let layout = ScreenLayout(of: dashboard)
    guard layout.body.height > 0 else { return }
    let drawn = Frame(dashboard, at: fixture.now)
    let index = drawn.visible.firstIndex(of: dashboard.selected)
    #expect(index != nil, "\(step)")
    let offset = (index ?? 0) - drawn.visible.startIndex
    let card = layout.wall?.card(at: offset)
    let y = card.map { $0.y + 1 } ?? layout.body.y + offset * layout.rowHeight
    let left = card?.x ?? 0
    let isMarked = (left..<(left + 3)).contains { x in
      [dashboard.symbols.selection, dashboard.symbols.markedAndSelected].contains(frame[x, y].text)
    }
    #expect(isMarked, "\(step)")
    if layout.wall == nil, let time = dashboard.timeText(of: row, at: fixture.now) {
      #expect(frame.lines[y].contains(time), "\(step)")
    }
  }
}
