import Testing
import TimerKit

@testable import TimerBoard

/// Names are unique, and chains follow them.
@Suite struct NamingTests {
  private func names(_ board: VirtualBoard) -> [String] { board.board.timers.all.map(\.spec.text) }

  @Test(arguments: [
    ("tea=3m", "tea=5m", "tea=3m tea-2=5m", "tea: added as tea-2; the name is taken"),
    ("tea-2=3m", "tea-2=5m", "tea-2=3m tea-3=5m", "tea-2: added as tea-3; the name is taken"),
    ("a-b=3m", "a-b=5m", "a-b=3m a-b-2=5m", "a-b: added as a-b-2; the name is taken"),
    ("tea=3m", "5m 5m", "tea=3m 5m 5m", "2 timers: added"),
    // A free name in the same text is kept for its timer.
    ("a=1m", "a=2m a-2=3m", "a=1m a-3=2m a-2=3m", "2 timers: added, a as a-3"),
    (
      "a=1m b=1m", "a=2m b=2m a=3m a=4m c=1m",
      "a=1m b=1m a-2=2m b-2=2m a-3=3m a-4=4m c=1m",
      "5 timers: added, a as a-2, b as b-2, a as a-3 and 1 more"
    ),
    // What is added together stays together.
    (
      "a=1m then b b=1m then a", "a=1m then b b=1m then a",
      "a=1m then b b=1m then a a-2=1m then b-2 b-2=1m then a-2",
      "2 timers: added, a as a-2, b as b-2"
    ),
    (
      "a=1m then a", "a=1m then a", "a=1m then a a-2=1m then a-2",
      "a: added as a-2; the name is taken"
    ),
    ("a=1m b=1m", "a=1m then b", "a=1m b=1m a-2=1m then b", "a: added as a-2; the name is taken"),
  ])
  func add(_ line: String, _ added: String, _ timers: String, _ report: String) throws {
    let board = try VirtualBoard(line)
    let context = TimerContext(names: board.board.timers.all.compactMap(\.name))
    board.handle(.add(try TimerSpec.parse(arguments: [added], in: context)))
    #expect(names(board).joined(separator: " ") == timers)
    #expect(board.report == report)
  }

  @Test func aStartReportsNewNames() throws {
    let board = try VirtualBoard("tea=3m tea=5m")
    #expect(names(board) == ["tea=3m", "tea-2=5m"])
    #expect(board.report == "2 timers: added, tea as tea-2")
    #expect(board.lastLogEntry == "2 timers: added, tea as tea-2")
  }

  @Test func aRestoredSessionHasUniqueNames() throws {
    let board = try VirtualBoard()
    let other = try VirtualBoard("tea=3m u=5m egg=1m then tea")
    let saved = try other.saved { $0.timers[1].timer = "tea=5m" }
    board.handle(.restore(saved, .catchUp))
    #expect(names(board) == ["tea=3m", "tea-2=5m", "egg=1m then tea"])
    #expect(board.report == "3 timers: restored, tea as tea-2")
  }

  @Test(arguments: [
    ("egg=3m", "tea: renamed to egg-2; the name is taken", "egg-2=3m"),
    ("egg=4m", "tea: changed to once 4m as egg-2", "egg-2=4m"),
    ("tea=4m", "tea: changed to once 4m", "tea=4m"),
    ("mate=3m", "tea: renamed to mate", "mate=3m"),
  ])
  func edit(_ text: String, _ report: String, _ edited: String) throws {
    let board = try VirtualBoard("tea=3m egg=3m a=1m then tea")
    board.handle(.edit(try board.ids("tea")[0], try TimerSpec.parse(timer: text)))
    #expect(board.report == report)
    let name = try #require(board.board.timers[0].name)
    #expect(names(board) == [edited, "egg=3m", "a=1m then \(name)"])
    board.handle(.undo)
    #expect(names(board) == ["tea=3m", "egg=3m", "a=1m then tea"])
  }

  /// The name that a timer already has is free for it.
  @Test func anEditToATakenNameKeepsItsOwn() throws {
    let board = try VirtualBoard("tea=3m tea=3m")
    board.handle(.edit(try board.ids("tea-2")[0], try TimerSpec.parse(timer: "tea=3m")))
    #expect(board.report == "tea-2: unchanged; the name is taken")
  }

  @Test func copiesStartCopies() throws {
    let board = try VirtualBoard("a=1m then b b=2m then b")
    board.handle(.duplicate(try board.ids("a", "b")))
    #expect(
      names(board) == ["a=1m then b", "a-2=1m then b-2", "b=2m then b", "b-2=2m then b-2"])
    board.handle(.duplicate(try board.ids("a")))
    #expect(names(board)[1] == "a-3=1m then b")
  }

  @Test func aDeletedTimerLeavesItsChains() throws {
    let board = try VirtualBoard("a=1m then c b=1m then c c=1m then c d=1m then a")
    board.handle(.delete(try board.ids("a", "c")))
    #expect(names(board) == ["b=1m", "d=1m"])
    #expect(
      board.board.log.entries.suffix(3).map { "\($0.label): \($0.event.text)" }
        == ["b: no longer starts c", "d: no longer starts a", "2 timers: deleted"])
    board.handle(.undo)
    #expect(
      names(board) == ["a=1m then c", "b=1m then c", "c=1m then c", "d=1m then a"])
  }

  /// Its name was given to another timer.
  @Test func aRestoredTimerGetsAFreeName() throws {
    let board = try VirtualBoard("a=1m then c b=1m then c c=1m then c")
    board.handle(.delete(try board.ids("c")))
    board.handle(.add(try TimerSpec.parse(arguments: ["c=9m"])))
    board.handle(.undo)
    board.handle(.undo)
    #expect(names(board) == ["a=1m then c", "b=1m then c", "c=1m then c"])
    board.handle(.redo)
    board.handle(.start(try TimerSpec.parse(arguments: ["c=9m"])))
    board.handle(.undo)
    #expect(names(board) == ["a=1m then c-2", "b=1m then c-2", "c-2=1m then c-2", "c=9m"])
    #expect(board.report == "c-2: delete undone")
  }

  @Test func anUndoneEditGetsAFreeName() throws {
    let board = try VirtualBoard("a=1m then c c=1m")
    board.handle(.edit(try board.ids("c")[0], try TimerSpec.parse(timer: "d=1m")))
    board.handle(.start(try TimerSpec.parse(arguments: ["c=9m"])))
    board.handle(.undo)
    #expect(names(board) == ["a=1m then c-2", "c-2=1m", "c=9m"])
  }

  /// Only a number after `#` refers to a timer; another text that ends with the number is a name.
  @Test func aNameIsNoReference() throws {
    let board = try VirtualBoard("3m tea=5m")
    let names = TimerNames(board.board.timers.all.map { ($0.spec, $0.id) })
    let number = board.board.timers[0].id.rawValue
    #expect(try names.positions(of: "#\(number)") == [0])
    for name in ["x\(number)", "1\(number)"] {
      #expect(throws: ControlRefusal.self, "\(name)") { try names.positions(of: name) }
    }
  }
}
