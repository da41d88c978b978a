import Testing
import TimerKit

@testable import TimerBoard

/// The memory of a board that runs for long has a bound.
@Suite struct MemoryTests {
  @Test func theActivityOfATimerIsBounded() throws {
    let board = try VirtualBoard("t=every 1s")
    for _ in 0..<400 {
      board.advance(by: .seconds(3))
      try board.control(.pause, "t")
      #expect(board.timer.recentActivity.byteCount <= RecentActivity.byteLimit)
      try board.control(.start, "t")
    }
    let activity = board.timer.recentActivity
    #expect(activity.fires.elements.count == 256 && activity.spans.elements.count == 128)
  }

  /// A step has the recent activity of the timers before it, so that an undone deletion brings it back; of older steps it
  /// is forgotten.
  @Test func theActivityInUndoStepsIsBounded() throws {
    let line = (0..<40).map { "t\($0)=every 1s" }.joined(separator: "\n")
    let board = try VirtualBoard(line)
    let limit = 2 * UndoHistory.activityLimit * RecentActivity.byteLimit
    for round in 0..<60 {
      board.advance(by: .seconds(7))
      board.handle(.pauseAll)
      board.handle(.pauseAll)
      if round % 3 == 2 { for _ in 0..<3 { board.handle(.undo) } }
      #expect(board.board.undoHistory.activityByteCount <= limit)
    }
    let before = board.timer.recentActivity.fires
    #expect(!before.elements.isEmpty)
    let id = board.timer.id
    board.handle(.delete([id]))
    board.handle(.undo)
    #expect(board.timer.id == id && board.timer.recentActivity.fires == before)
    // Not after as many other timers were deleted.
    board.handle(.delete([id]))
    for _ in 0..<7 {
      board.handle(.delete(board.board.timers.all.map(\.id)))
      board.handle(.add(try TimerSpec.parse(arguments: [line])))
      board.advance(by: .seconds(3))
    }
    for _ in 0..<15 { board.handle(.undo) }
    #expect(board.timer.id == id && board.timer.recentActivity.fires.elements.isEmpty)
  }

  /// Lists of any length keep the newest elements in a memory that does not grow.
  @Test(arguments: [1, 2, 7, 8, 100, 256]) func aBoundedListKeepsTheNewest(limit: Int) {
    var list = BoundedList<Int>(limit: limit)
    for number in 0..<5000 {
      list.append(number)
      #expect(Array(list.elements) == Array((0...number).suffix(limit)))
      #expect(list.byteCount <= (limit + limit / 8) * 8 + 64)
    }
  }
}
