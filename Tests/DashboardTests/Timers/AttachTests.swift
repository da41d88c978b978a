import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The board of another process, with a connection that the tests play.
struct AttachTests {
  private static let process = AttachedProcess(id: 4711, name: "server", allowsControls: true)
  private static let totals = "totals\t3\t3\t2\t40\t400000\t9"
  private static let timers = [
    "timer\t1\trepeater\tpoll\trunning\t\t\t30000000000\t12500000000\t90000\t41\t1\t0\tmain\tPoll.swift:12",
    "timer\t2\tcountdown\tsets\tpaused\t3\t8\t45000000000\t20000000000\t1200000\t5\t0\t2\twork\t",
    "timer\t3\tdebouncer\t\tidle\t\t\t2000000000\t\t\t0\t0\t0\t\t",
  ]

  private static func reply(_ lines: [String]) throws -> AttachReply {
    try AttachReply(Array((lines.map { $0 + "\n" }.joined() + "\n").utf8))
  }

  private static func time(_ seconds: Double) -> ClockReading {
    ClockReading(wall: WallInstant(nanosecondsSince1970: Int64(seconds * 1e9)))
  }

  private static func board(
    _ width: Int = 80, _ height: Int = 24, options: DisplayOptions = DisplayOptions(),
    allowsControls: Bool = true
  ) -> AttachedBoard {
    AttachedBoard(
      AttachedProcess(id: 4711, name: "server", allowsControls: allowsControls), options: options,
      size: Size(width: width, height: height))
  }

  /// Returns a board that shows its first page since second 100.
  private static func opened(
    _ width: Int = 80, _ height: Int = 24, options: DisplayOptions = DisplayOptions(),
    lines: [String] = [totals] + timers
  ) throws -> AttachedBoard {
    var board = board(width, height, options: options)
    _ = board.nextRequest(at: time(100).suspending)
    board.receive(try reply(lines), at: time(100))
    return board
  }

  private static func press(_ board: inout AttachedBoard, _ keys: Key...) {
    for key in keys { _ = board.update([.key(key)], at: time(100)) }
  }

  private static func lines(_ board: AttachedBoard, at seconds: Double = 100) -> [String] {
    board.frame(at: time(seconds)).canvas.lines
  }

  private static func selected(_ board: AttachedBoard) -> AttachedTimer? {
    board.dashboard.attached?.timer(at: board.dashboard.selected)
  }

  // MARK: Replies

  @Test func repliesAreRead() throws {
    guard case .page(let page) = try Self.reply([Self.totals] + Self.timers) else {
      Issue.record("no page")
      return
    }
    #expect(page.listed == 3 && page.pending == 2 && page.fired == 40 && page.wakeUps == 9)
    #expect(page.late99 == 400_000 && page.timers.map(\.name) == ["poll", "sets", "debouncer"])
    let sets = try #require(page.timers.dropFirst().first)
    #expect(sets.remaining == 3 && sets.iterations == 8 && sets.state == .paused && sets.stale == 2)
    #expect(sets.left == 20_000_000_000 && sets.queue == "work" && sets.place.isEmpty)
    guard case .hello(let process) = try Self.reply(["timerkit\t1\t7\tapp\t0"]) else {
      Issue.record("no hello")
      return
    }
    #expect(process.id == 7 && process.name == "app" && !process.allowsControls)
    guard case .done = try Self.reply(["ok"]), case .refused("no") = try Self.reply(["refused\tno"])
    else {
      Issue.record("no answer to a control")
      return
    }
  }

  @Test func anotherVersionIsRefused() {
    let error = #expect(throws: AttachError.self) { try Self.reply(["timerkit\t2\tx"]) }
    #expect(error?.description == "speaks version '2' of the protocol (expected 1)")
  }

  /// A reply with a field less or more, or with a number that is none, is invalid as a whole.
  @Test(arguments: [totals, timers[0], "timerkit\t1\t7\tapp\t0", "ok", "refused\tno"])
  func everyFieldIsChecked(line: String) throws {
    let before = line.hasPrefix("timer\t") ? [Self.totals] : []
    _ = try Self.reply(before + [line])
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    for index in fields.indices {
      var fewer = fields
      fewer.remove(at: index)
      #expect(throws: AttachError.self) {
        try Self.reply(before + [fewer.joined(separator: "\t")])
      }
      for text in ["9223372036854775808", "-9223372036854775809", "x", "1e3", "0x1", "١"] {
        guard index > 0, Int64(fields[index]) != nil, !line.hasPrefix("timerkit") else { continue }
        var changed = fields
        changed[index] = text
        #expect(throws: AttachError.self, "\(changed)") {
          try Self.reply(before + [changed.joined(separator: "\t")])
        }
      }
    }
    #expect(throws: AttachError.self) { try Self.reply(before + [line + "\t"]) }
  }

  @Test func emptyAndGarbageIsInvalid() throws {
    var random = SystemRandomNumberGenerator()
    let separators: [UInt8] = [0x09, 0x0A, 0x31]
    for length in 0...2000 {
      let bytes = (0..<length).map { _ in
        length % 2 == 0
          ? UInt8.random(in: 0...255, using: &random)
          : separators.randomElement(using: &random) ?? 0
      }
      #expect(throws: AttachError.self) { try AttachReply(bytes) }
    }
    let bytes = Array(([Self.totals] + Self.timers).joined(separator: "\n").utf8)
    for length in bytes.indices { _ = try? AttachReply(Array(bytes[..<length])) }
    let most = Array(repeating: Self.timers[0], count: 200)
    _ = try Self.reply([Self.totals] + most)
    #expect(throws: AttachError.self) { try Self.reply([Self.totals] + most + [Self.timers[0]]) }
  }

  // MARK: Requests

  @Test func asksForOnePageAtATimeOnceASecond() throws {
    var board = Self.board()
    let request = board.nextRequest(at: Self.time(100).suspending)
    #expect(request == "page\t0\t19\tlateness\t1\t\n")
    Self.press(&board, .character("O"))
    #expect(board.nextRequest(at: Self.time(500).suspending) == nil)
    board.receive(try Self.reply([Self.totals] + Self.timers), at: Self.time(500))
    // The key came before the reply.
    #expect(board.nextRequest(at: Self.time(500).suspending) == "page\t0\t19\tlateness\t0\t\n")
    board.receive(try Self.reply([Self.totals] + Self.timers), at: Self.time(500))
    #expect(board.nextRequest(at: Self.time(500.9).suspending) == nil)
    #expect(board.frame(at: Self.time(500.1)).nextRedraw == Self.time(501).suspending)
    #expect(board.nextRequest(at: Self.time(501).suspending) == "page\t0\t19\tlateness\t0\t\n")
  }

  @Test func filtersAndSortsInTheOtherProcess() throws {
    var board = try Self.opened()
    Self.press(&board, .character("o"), .character("o"), .character("/"))
    for character in "po\tq" { Self.press(&board, .character(character)) }
    let request = board.nextRequest(at: Self.time(100).suspending)
    #expect(request == "page\t0\t19\tdeadline\t0\tpo q\n")
    board.receive(try Self.reply(["totals\t3\t0\t2\t40\t\t9"]), at: Self.time(100))
    let screen = Self.lines(board)
    #expect(screen[3].contains("no matches") && screen[22].hasPrefix(" / po q"))
    #expect(screen[22].hasSuffix("0 of 3"))
    Self.press(&board, .enter, .escape)
    #expect(board.nextRequest(at: Self.time(100).suspending) == "page\t0\t19\tdeadline\t0\t\n")
    // A request has at most 1,024 bytes.
    Self.press(&board, .character("/"))
    for text in [String(repeating: "é", count: 257), String(repeating: "𝄞", count: 230)] {
      _ = board.update([.paste(text)], at: Self.time(100))
      #expect(
        board.dashboard.listState.filter.text.isEmpty && Self.lines(board)[22].contains("too long"))
      let typed = text.map { TerminalInput.key(.character($0)) }
      #expect(
        board.update(typed[...], at: Self.time(100)).count == nil
          && board.dashboard.listState.filter.text.isEmpty)
    }
    let typed = String(repeating: "é", count: 256).map { TerminalInput.key(.character($0)) }
    #expect(board.update((typed + [.key(.enter)])[...], at: Self.time(100)).count == 256)
    #expect(
      board.dashboard.listState.filter.text.utf8.count == 512
        && !Self.lines(board)[22].contains("too long"))
  }

  @Test func movesThroughPages() throws {
    let lines = ["totals\t1000\t1000\t2\t40\t\t9"] + Self.timers
    var board = try Self.opened(80, 24, lines: lines)
    Self.press(&board, .pageDown)
    #expect(board.nextRequest(at: Self.time(100).suspending) == "page\t1\t19\tlateness\t1\t\n")
    board.receive(try Self.reply(lines), at: Self.time(100))
    Self.press(&board, .end)
    #expect(board.nextRequest(at: Self.time(100).suspending) == "page\t981\t19\tlateness\t1\t\n")
    board.receive(try Self.reply(lines), at: Self.time(100))
    #expect(board.dashboard.selected == 999 && Self.selected(board) == nil)
    Self.press(&board, .home)
    #expect(board.nextRequest(at: Self.time(100).suspending) == "page\t0\t19\tlateness\t1\t\n")
    // The list is shorter now: the next page follows, not at once.
    board.receive(try Self.reply(["totals\t1\t1\t1\t1\t\t1", Self.timers[0]]), at: Self.time(100))
    #expect(Self.selected(board)?.id == 1)
    #expect(board.nextRequest(at: Self.time(100).suspending) == nil)
    board.resize(to: Size(width: 80, height: 60), at: Self.time(100))
    #expect(board.nextRequest(at: Self.time(100).suspending) == "page\t0\t55\tlateness\t1\t\n")
  }

  @Test func theSelectionStaysOnItsTimer() throws {
    var board = try Self.opened()
    Self.press(&board, .down)
    #expect(Self.selected(board)?.id == 1)
    _ = board.nextRequest(at: Self.time(101).suspending)
    let late = Self.timers[0].replacing("\t90000\t", with: "\t9000000\t")
    board.receive(try Self.reply([Self.totals, late] + Self.timers[1...]), at: Self.time(101))
    #expect(board.dashboard.selected == 0 && Self.selected(board)?.id == 1)
  }

  @Test func controlsAreSentOneAfterTheOther() throws {
    var board = try Self.opened()
    Self.press(&board, .space, .character("f"), .down, .space, .character("r"), .character("R"))
    var requests: [String] = []
    while let request = board.nextRequest(at: Self.time(100).suspending) {
      requests.append(request)
      let line = request.hasPrefix("page") ? [Self.totals] + Self.timers : ["ok"]
      board.receive(try Self.reply(line), at: Self.time(100))
    }
    #expect(
      requests == [
        "control\t2\tresume\n", "control\t2\tfire\n", "control\t1\tpause\n", "control\t1\treset\n",
        "control\t1\tresume\n", "control\t1\treset\n",
        "page\t0\t19\tlateness\t1\t\n",
      ])
    #expect(Self.lines(board)[22] == " poll: reset and stopped")
    Self.press(&board, .character("f"))
    _ = board.nextRequest(at: Self.time(100).suspending)
    board.receive(try Self.reply(["refused\tit was cancelled"]), at: Self.time(100))
    #expect(Self.lines(board)[22] == " refused: it was cancelled")
  }

  @Test func controlsThatAreOffSaySo() throws {
    var board = Self.board(allowsControls: false)
    _ = board.nextRequest(at: Self.time(100).suspending)
    board.receive(try Self.reply([Self.totals] + Self.timers), at: Self.time(100))
    for key in [Key.space, .character("f"), .character("r"), .character("R")] {
      Self.press(&board, key)
      #expect(board.nextRequest(at: Self.time(100).suspending) == nil)
      #expect(
        Self.lines(board)[22]
          == " controls are off; the program allows them in TimerInspector.start")
    }
  }

  @Test func aSilentProcessDoesNotBlockKeys() throws {
    var board = try Self.opened()
    _ = board.nextRequest(at: Self.time(101).suspending)
    Self.press(&board, .down, .character("3"), .character("1"))
    #expect(board.dashboard.selected == 1)
    #expect(Self.lines(board, at: 103)[1].hasSuffix("3 timers"))
    #expect(
      Self.lines(board, at: 106)[22] == " no reply for 5 s; the process may be suspended")
    #expect(board.update([.key(.character("q"))], at: Self.time(100)).effects == [.quit(status: 0)])
  }

  @Test func theLastPageStaysWhenTheProcessHasEnded() throws {
    var board = try Self.opened()
    board.end("the process has ended")
    let screen = Self.lines(board, at: 5000)
    #expect(screen[22] == " the process has ended; q closes its last page")
    #expect(screen[4].contains("poll") && screen[4].contains("0:12"))
    Self.press(&board, .down, .space, .character("o"))
    #expect(board.nextRequest(at: Self.time(5000).suspending) == nil)
    #expect(board.frame(at: Self.time(5000)).nextRedraw == nil)
    #expect(board.update([.key(.character("q"))], at: Self.time(100)).effects == [.quit(status: 0)])
  }

  /// A reply that does not answer the request ends the connection.
  @Test(arguments: ["ok", "timerkit\t1\t7\tapp\t0"]) func anUnexpectedReplyIsAnError(line: String)
    throws
  {
    var board = Self.board()
    _ = board.nextRequest(at: Self.time(100).suspending)
    board.receive(try Self.reply([line]), at: Self.time(100))
    #expect(board.dashboard.attached?.hasEnded == true)
  }

  // MARK: Frames

  @Test func drawsTheBoard() throws {
    var board = try Self.opened(120, 12)
    _ = board.nextRequest(at: Self.time(102).suspending)
    board.receive(
      try Self.reply(["totals\t3\t3\t2\t49\t400000\t12"] + Self.timers), at: Self.time(102))
    let expected = """
       server 4711  1 board  2 focus  3 timeline  L log                                                                 00:01
       pending 2          fired 4.5/s      late p99 0.4 ms     wake-ups 1.5/s      late █·█·· 0.1 1 10 100 ms        3 timers
         NAME                TIME  STATE         LEFT  PROGRESS         LATE▼ MISSED  STALE  QUEUE         PLACE
       ▌ sets                0:20  ‖ paused       3/8  ▆▆▆▆▆▆▆▆▆▆▆    1.2 ms       0      2  work
         poll                0:12  ▶ runs           ∞  ▆▆▆▆▆▆▆▆▆▆▆    0.0 ms       1      0  main          Poll.swift:12
         debouncer              –  ○ ready             ▆▆▆▆▆▆▆▆▆▆▆         –       0      0





       Space resume  r restart  f fire  / filter  o sort  Enter focus  ? help  q quit
      """
    #expect(Self.lines(board, at: 102).joined(separator: "\n") == expected)
    // The time left passes between the pages.
    #expect(Self.lines(board, at: 105)[4].contains("0:09.5  !"))
    #expect(Self.lines(board, at: 105)[3].contains("0:20"))
    #expect(Self.lines(board, at: 200)[4].contains("0:00"))
  }

  @Test func drawsTheViews() throws {
    var board = try Self.opened(100, 24)
    Self.press(&board, .down, .character("2"))
    var text = Self.lines(board).joined(separator: "\n")
    #expect(text.contains("poll · repeater 30s") && text.contains("█") && text.contains("▶ runs"))
    #expect(text.contains("fired 41   late 0.0 ms   missed 1") && text.contains("Poll.swift:12"))
    Self.press(&board, .character("3"))
    text = Self.lines(board).dropLast(2).joined(separator: "\n")
    #expect(text.contains("now") && text.contains("○") && text.contains("┃"))
    Self.press(&board, .character("L"))
    #expect(Self.lines(board).contains { $0.contains("no events yet") })
    _ = board.nextRequest(at: Self.time(101).suspending)
    let fired = Self.timers[0].replacing("\t41\t1\t", with: "\t44\t2\t")
    board.receive(try Self.reply([Self.totals, fired]), at: Self.time(101))
    let line = "  00:01:41.000  poll              fired 3 times, late 0.0 ms, 1 missed"
    #expect(Self.lines(board).contains(line))
    Self.press(&board, .escape, .character("?"))
    text = Self.lines(board).joined(separator: "\n")
    #expect(text.contains("start / pause") && !text.contains("redraw"))
    Self.press(&board, .pageDown)
    text = Self.lines(board).joined(separator: "\n")
    #expect(text.contains("redraw") && !text.contains("Timer syntax"))
    Self.press(&board, .character("?"))
    #expect(Self.lines(board)[3].contains("poll"))
  }

  /// Rows are sorted by what they show, although the process has sorted them by earlier values: worst first.
  @Test func rowsAreSortedByWhatTheyShow() throws {
    let timers = (1...20).map { number in
      let late = number * 7 % 20 * 1_000_000
      return
        "timer\t\(number)\trepeater\tt\(number)\trunning\t\t\t1000\t\(number)\t\(late)\t1\t0\t0\t\t"
    }
    var board = try Self.opened(120, 40, lines: ["totals\t20\t20\t2\t40\t\t9"] + timers)
    func shown(_ key: KeyPath<AttachedTimer, Int64?>) -> [Int64] {
      (board.dashboard.attached?.page?.timers ?? []).compactMap { $0[keyPath: key] }
    }
    #expect(shown(\.late) == shown(\.late).sorted(by: >))
    for (order, isSorted) in [
      ("name", { (1...20).map(Int64.init) == $0.map(\.id) }),
      ("time", { $0.map { $0.left ?? 0 } == $0.map { $0.left ?? 0 }.sorted() }),
    ] as [(String, ([AttachedTimer]) -> Bool)] {
      Self.press(&board, .character("o"))
      _ = board.nextRequest(at: Self.time(100).suspending)
      let page = ["totals\t20\t20\t2\t40\t\t9"] + timers.shuffled()
      board.receive(try Self.reply(page), at: Self.time(100))
      #expect(board.dashboard.listState.order.description == order)
      #expect(isSorted(board.dashboard.attached?.page?.timers ?? []))
    }
  }

  /// A key of the own board without a meaning here says so, and is not in the footer; another one has no binding.
  @Test func keysOfTheBoardAnswer() throws {
    var board = try Self.opened(200, 24)
    for key in "asescuJwDP4:" {
      Self.press(&board, .character(key))
      #expect(Self.lines(board)[22] == " \(key): not in attach")
    }
    Self.press(&board, .character("x"))
    #expect(Self.lines(board)[22].hasPrefix(" x: no binding"))
    for word in ["add", "delete", "undo", "wall", "commands", "background"] {
      #expect(!Self.lines(board)[23].contains(word))
    }
    // A debouncer refuses what the footer does not offer.
    Self.press(&board, .end)
    #expect(!Self.lines(board)[23].contains("Space") && !Self.lines(board)[23].contains("restart"))
    let before = board.dashboard.theme
    Self.press(&board, .character("t"))
    #expect(board.dashboard.theme != before)
  }

  @Test func rowsAndTitlesAreClicked() throws {
    var board = try Self.opened(120, 24)
    func click(_ x: Int, _ y: Int) {
      let event = MouseEvent(.press(button: 1), at: Point(x: x, y: y))
      _ = board.update([.mouse(event)], at: Self.time(100))
    }
    click(5, 4)
    #expect(Self.selected(board)?.id == 1)
    click(5, 4)
    #expect(board.dashboard.view == .focus)
    Self.press(&board, .escape)
    click(4, 2)
    #expect(board.dashboard.listState.order == RowOrder(column: .name))
  }

  /// Of 100,000 timers, only the rows of the screen are built.
  @Test func buildsOnlyTheVisibleRows() throws {
    let totals = "totals\t100000\t100000\t2\t40\t\t9"
    let board = try Self.opened(
      80, 12, lines: [totals] + Array(repeating: Self.timers[0], count: 200))
    let frame = Frame(board.dashboard, at: Self.time(100))
    #expect(frame.rows.count == frame.layout.rowCount && frame.matchCount == 100_000)
  }

  @Test(arguments: [(80, 24), (120, 36), (200, 60), (20, 5), (1, 1)])
  func showsWhatFits(_ width: Int, _ height: Int) throws {
    let text = Self.lines(try Self.opened(width, height)).joined(separator: "\n")
    let words: [String] =
      switch width {
      case 1: ["‖"]
      case 20: ["poll", "0:12", "▶", "1 board"]
      case 80: ["poll", "▶ runs", "3/8", "1.2 ms", "MISSED", "pending 2", "late █·█··", "q quit"]
      case 120: ["PLACE", "Poll.swift:12", "work", "late p99 0.4 ms"]
      default: ["KIND", "repeater", "countdown"]
      }
    for word in words { #expect(text.contains(word), "\(word) in\n\(text)") }
  }

  /// Extreme numbers and hostile texts are drawn at any size, in any view, and no character controls the terminal.
  @Test func nothingIsTrusted() throws {
    let numbers = ["", "0", "-1", "\(Int64.max)", "\(Int64.min)"]
    for (index, number) in numbers.enumerated() {
      let label = ["\u{1B}[2J", "a\u{202E}b\u{2066}", "\r\u{301}", "日本語👩‍👩‍👧", ""][index]
      let counts = Array(repeating: number, count: 8).joined(separator: "\t")
      let states = ["idle", "running", "paused", "finished", "cancelled", "pending"]
      let timers = states.map {
        "timer\t1\trepeater\t\(label)\t\($0)\t\(counts)\t\(label)\t\(label)"
      }
      let totals = "totals" + String(repeating: "\t\(number)", count: 6)
      for options in [DisplayOptions(), DisplayOptions(isASCII: true, hasColor: false)] {
        var board = Self.board(80, 24, options: options)
        for second in [0.0, 1, 3] {
          _ = board.nextRequest(at: Self.time(second).suspending)
          board.receive(try Self.reply([totals] + timers), at: Self.time(second))
        }
        for key in [
          Key.character("1"), .character("2"), .character("3"), .character("L"), .end,
          .character("?"),
        ] {
          Self.press(&board, key)
          for (width, height) in [(0, 0), (1, 1), (5, 3), (20, 5), (33, 9), (80, 24), (200, 60)] {
            board.resize(to: Size(width: width, height: height), at: Self.time(100))
            let canvas = board.frame(at: Self.time(4)).canvas
            let scalars = canvas.text.unicodeScalars.filter { $0 != "\n" }
            #expect(!scalars.contains { $0.isTerminalControl })
            #expect(!options.isASCII || scalars.allSatisfy { $0.isASCII })
          }
        }
      }
    }
  }

  @Test func everySizeIsDrawn() throws {
    var board = try Self.opened()
    for key in [Key.character("1"), .character("2"), .character("3"), .character("?")] {
      Self.press(&board, key)
      for width in 0...130 {
        for height in [0, 1, 2, 3, 4, 6, 10, 12, 16, 40] {
          board.resize(to: Size(width: width, height: height), at: Self.time(100))
          #expect(board.frame(at: Self.time(100)).canvas.size == board.dashboard.size)
        }
      }
    }
  }
}
