import Fuzzing
import TerminalCore
import Testing
import TimerBoardFixtures
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Twenty-four thousand keys, clicks and sizes.
@Suite struct ManyKeysTests {
  @Test(arguments: 1...4 as ClosedRange<UInt64>) func nothingTraps(_ seed: UInt64) throws {
    var random = SplitMix(state: seed)
    var board = Board()
    var dashboard = Dashboard(options: .init(), size: Size(width: 80, height: 24))
    var now = ManualClocks().now
    let keys =
      Bindings.standard.all.flatMap(\.keys)
      + (0x20...0x7E).map {
        Key.character(Character(Unicode.Scalar($0)))
      }

    _ = dashboard.start(
      with: [
        .start(
          try TimerSpec.parse(arguments: ["tea=3m sets=every 4s x8 poll=every 7s slow=1h paused"]))
      ], on: &board, at: now)
    for step in 0..<6_000 {
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<85:
        let key = keys.randomElement(using: &random) ?? .escape
        _ = dashboard.update(.input(.key(key)), &board, at: now)
      case 85..<90:
        let size = Size(
          width: Int.random(in: 0...130, using: &random),
          height: Int.random(in: 0...40, using: &random))
        _ = dashboard.update(.resized(size), &board, at: now)
      case 90..<97:
        let kind: MouseEvent.Kind =
          [.press(button: 1), .scrollUp, .scrollDown].randomElement(using: &random) ?? .scrollUp
        let point = Point(
          x: Int.random(in: 0..<130, using: &random), y: Int.random(in: 0..<40, using: &random))
        _ = dashboard.update(.input(.mouse(MouseEvent(kind, at: point))), &board, at: now)
      default:
        now = now.moved(
          to: now.suspending.advanced(by: .milliseconds(Int.random(in: 0..<2_000, using: &random))))
      }
      if board.timers.count > 30 || board.timers.isEmpty {
        for key in [Key.escape, .escape, .escape] {
          _ = dashboard.update(.input(.key(key)), &board, at: now)
        }
        let line = board.timers.isEmpty ? "1adrink=5m" : "1Vd"
        for key in line.map(Key.character) + [.enter] {
          _ = dashboard.update(.input(.key(key)), &board, at: now)
        }
      }
      dashboard.board = board
      dashboard.now = now
      check(dashboard, at: now, drawing: step % 100 == 0, "seed \(seed), step \(step)")
    }
  }

  private func check(
    _ dashboard: Dashboard, at now: ClockReading, drawing: Bool, _ place: @autoclosure () -> String
  ) {
    let rows = dashboard.rows
    let isSelected = rows.isEmpty || (0..<rows.count).contains(dashboard.selected)
    let isMarked = dashboard.listState.marks.allSatisfy { rows.position(of: $0) != nil }
    let isBounded = dashboard.board.undoHistory.count <= UndoHistory.limit && rows.count < 100
    if !isSelected || !isMarked || !isBounded {
      Issue.record("\(place()): \(dashboard.selected) of \(rows.count)")
    }
    guard drawing else { return }
    let filteredRows = FilteredRows(of: dashboard)
    #expect(
      dashboard.listState.hidesAll || rows.isEmpty
        || filteredRows.index(of: dashboard.selected) != nil,
      "\(place())")
    let frame = dashboard.frame(at: now).canvas
    #expect(frame.size == dashboard.size)
    if let cursor = frame.cursor { #expect(frame.bounds.contains(cursor), "\(place())") }
    let redraw = dashboard.frame(at: now).nextRedraw
    #expect(redraw.map { $0 > now.suspending } ?? true, "\(place())")
  }
}
