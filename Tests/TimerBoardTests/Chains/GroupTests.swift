import Testing
import TimerKit

@testable import TimerBoard

/// Timers of a group, which `then` and a command can name together.
@Suite struct GroupTests {
  @Test func aGroupIsStartedTogether() throws {
    let board = try VirtualBoard(
      "fill=2s then laundry wash=5s paused group laundry dry=8s paused group laundry tea=1h")
    board.advance(by: .seconds(2))
    #expect(
      board.states == [
        "fill finished 0/1", "wash running 0:05 1/1", "dry running 0:08 1/1",
        "tea running 59:58 1/1",
      ])
    #expect(board.board.timers[0].kindAndSuccessorText == "once 2s → laundry")
    #expect(board.board.timers[1].searchText.contains("laundry"))
  }

  /// The next round begins when the last of the group has finished, whatever happened to the others.
  @Test func aRoundEndsWithTheLastOfAGroup() throws {
    let board = try VirtualBoard(
      "fill=2s then g x2 a=5s paused group g b=8s paused group g c=9s paused group g d=debounce 1s group g"
    )
    board.advance(by: .seconds(2))
    try board.control(.reset(restart: false), "c")
    board.advance(by: .seconds(5))
    #expect(board.states[0] == "fill finished 0/1" && board.states[1] == "a finished 0/1")
    board.advance(by: .seconds(3))
    #expect(board.states[0] == "fill running 0:02 1/1")
    board.advance(by: .seconds(2))
    board.handle(.delete(try board.ids("b")))
    board.advance(by: .minutes(1))
    #expect(board.board.timers.all.map(\.counts.delivered) == [2, 2, 1, 2])
  }

  @Test func aGroupIsNamedLikeATimer() throws {
    let board = try VirtualBoard("wash=30m group laundry dry=1h group laundry tea=3m")
    let ids = board.board.timers.all.map(\.id)
    #expect(board.board.timers.ids(named: "laundry") == Array(ids[..<2]))
    #expect(board.board.timers.ids(named: "tea") == [ids[2]])
    #expect(board.board.timers.ids(named: "oolong").isEmpty)
    board.handle(.move(ids[0], to: 2))
    #expect(board.board.timers.ids(named: "laundry") == [ids[1], ids[0]])
    board.handle(.edit(ids[1], try TimerSpec.parse(timer: "dry=1h")))
    #expect(board.board.timers.ids(named: "laundry") == [ids[0]])
    board.handle(.delete([ids[0]]))
    #expect(!board.board.timers.contains(named: "laundry") && board.board.timers.groups.isEmpty)
    board.handle(.undo)
    #expect(board.board.timers.groups == ["laundry"])
  }

  /// Names and groups share one name space.
  @Test func noTimerHasTheNameOfAGroup() throws {
    let board = try VirtualBoard("wash=30m group laundry tea=3m")
    board.handle(.add(try TimerSpec.parse(arguments: ["laundry=5m"])))
    #expect(board.report == "laundry: added as laundry-2; the name is taken")
    var spec = board.board.timers[1].spec
    spec.name = "laundry"
    board.handle(.edit(board.board.timers[1].id, spec))
    #expect(board.board.timers[1].name == "laundry-3")
    let context = TimerContext(names: ["tea"], groups: ["laundry"])
    for text in ["5m group tea", "egg=5m group egg", "a=5m group b b=3m"] {
      #expect(throws: TimerSyntaxError.self, "\(text)") {
        try TimerSpec.parse(arguments: [text], in: context)
      }
    }
    _ = try TimerSpec.parse(
      arguments: ["5m then laundry egg=3m group laundry then box 1h group box"], in: context)
  }

  /// A file can have both; the timer's name then precedes that of the group.
  @Test func aTimersNamePrecedes() throws {
    let specs =
      try TimerSpec.parse(arguments: ["a=1s then x b=5s paused group x"], in: .trusted)
      + [TimerSpec.parse(timer: "x=3s paused", in: .trusted)]
    let board = try VirtualBoard()
    var saved = SavedBoard()
    saved.timers = try specs.enumerated().map { index, spec in
      SavedFields(
        try BoardTimer(id: TimerID(index + 1), startOf: spec, at: board.now), at: board.now)
    }
    let restored = try RestoredBoard(saved, savedAt: board.now)
    board.handle(.takeOver(restored))
    board.advance(by: .seconds(2))
    #expect(board.states == ["a finished 0/1", "b paused 0:05 1/1", "x running 0:02 1/1"])
    #expect(
      Board(listing: restored, .catchUp, at: board.now).timers.all.map(\.state)
        == [.finished, .paused, .running])
    #expect(try TimerNames(specs.map { ($0, nil) }).positions(of: "x") == [2])
  }

  /// A timer without a name is given by its identifier.
  @Test func aReferenceIsLikeAName() throws {
    let specs = try TimerSpec.parse(arguments: ["tea=3m every 7s every 9s group box '#2'=5m"])
    let names = TimerNames(zip(specs, [4, 2, 3, 1].map { TimerID($0) }).map { ($0, $1) })
    for (name, position) in [("#4", 0), ("#3", 2), ("box", 2), ("every 7s", 1)] {
      #expect(try names.positions(of: name) == [position])
    }
    // A name precedes it.
    #expect(try names.positions(of: "#2") == [3])
    for name in ["#5", "#", "3"] {
      #expect(throws: ControlRefusal.self) { try names.positions(of: name) }
    }
  }

  /// Timers in groups that start one another take time in proportion to their number.
  @Test func manyTimersInAGroup() throws {
    func time(_ count: Int) throws -> Duration {
      let begin = try VirtualBoard()
      let member = try TimerSpec.parse(timer: "1s paused group g", in: .trusted)
      var specs = [TimerSpec](repeating: member, count: count)
      specs[0] = try TimerSpec.parse(timer: "head=1s then g x3", in: .trusted)
      begin.handle(.start(specs))
      let restored = try begin.saved()
      let now = begin.now.moved(by: .hours(1))
      return processorTime {
        var board = Board()
        let change = board.perform(.restore(restored, .catchUp), at: now)
        let missed = change.transitions.filter { $0.event == .missed }
        #expect(missed.count == count && missed.allSatisfy { $0.fire?.missed == 3 })
      }
    }
    _ = try time(100)
    let (short, long) = (try time(1_000), try time(4_000))
    #expect(long < short * 8, "\(short), \(long)")
  }

  @Test func copiesAreInTheGroup() throws {
    let board = try VirtualBoard("wash=30m group laundry then wash x2")
    board.handle(.duplicate(try board.ids("wash")))
    #expect(
      board.board.timers.all.map(\.spec.text)
        == ["wash=30m then wash x2 group laundry", "wash-2=30m then wash-2 x2 group laundry"])
  }
}
