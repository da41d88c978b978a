import Testing
import TimerKit

@testable import TimerBoard

/// The list of the timers: its revision, its changes, and timers that return to their positions.
@Suite struct TimerListTests {
  /// A session is saved if the revision has changed since it was saved last.
  @Test func theRevisionChangesWithTheTimers() throws {
    let board = try VirtualBoard("a=every 5s b=3m")
    let ids = try board.ids("a", "b")
    let start = board.board.timers.revision
    board.handle(.log("no change of the timers"))
    #expect(board.board.timers.revision == start)
    board.advance(by: .seconds(5))
    #expect(board.board.timers.revision != start, "fire")
    for command in [
      Board.Command.move(ids[1], to: 0), .control(.pause, ids), .delete(ids), .undo,
    ] {
      let before = board.board.timers.revision
      board.handle(command)
      #expect(board.board.timers.revision != before, "\(command)")
    }
  }

  // MARK: Changes

  /// A front end measures the timers that were added or changed, and no others.
  @Test func theListNamesWhatHasChanged() throws {
    var timers = try VirtualBoard("a=3m b=5m c=1m").board.timers
    let ids = timers.all.map(\.id)
    #expect(timers.takeChanges() == Set(ids) && timers.takeChanges().isEmpty)
    timers.change(at: 1) { $0.setChain(ChainState()) }
    timers.change(at: 1) { $0.setChain(ChainState()) }
    timers.move(from: 0, to: 2)
    #expect(timers.takeChanges() == [ids[1]])
    timers.change(at: 1) { $0.setChain(ChainState()) }
    timers.remove([timers[1].id])
    #expect(timers.takeChanges().isEmpty)
    timers.append(try VirtualBoard("d=1m").timer)
    #expect(timers.takeChanges().count == 1)
  }

  /// Timers are inserted where they were; the end is after all others, and of two for one place the first is first.
  @Test(
    arguments: [
      ([0, 0], "xyab"), ([0, 2], "xayb"), ([1, 1], "axyb"), ([2, 9], "abxy"), ([9, 9], "abxy"),
    ])
  func insertsTimersAtTheirPositions(_ positions: [Int], _ names: String) throws {
    let all = try VirtualBoard("a=3m b=5m x=1m y=2m").board.timers
    var timers = all
    timers.remove([all[2].id, all[3].id])
    timers.insert(zip([all[2], all[3]], positions).map { (timer: $0, position: $1) })
    #expect(timers.all.compactMap(\.name).joined() == names)
    #expect(timers.all.indices.allSatisfy { timers.position(of: timers[$0].id) == $0 })
  }
}
