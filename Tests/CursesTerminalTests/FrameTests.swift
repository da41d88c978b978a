import CursesTerminal
import TerminalCore
import Testing

extension TerminalSuite {
  @Suite @MainActor struct Frames {
    @Test(arguments: [(1, 1), (2, 1), (1, 7), (3, 2), (40, 8), (80, 24), (133, 43), (400, 120)])
    func screenEqualsThePresentedCanvas(width: Int, height: Int) async throws {
      let size = Size(width: width, height: height)
      let session = try Session(size)
      #expect(try session.terminal.size == size)
      var random = Seeded(width * height)
      var canvas = Canvas(size)
      for step in 0..<(width > 100 ? 5 : 12) {
        // Every fifth canvas is new; the others change the previous one.
        if step % 5 == 4 {
          canvas = .random(size, using: &random)
        } else {
          canvas.drawRandomly(using: &random)
        }
        try await session.present(canvas)
        try #require(session.screen.difference(from: canvas) == nil)
        let cursor = canvas.cursor.flatMap { canvas.bounds.contains($0) ? $0 : nil }
        #expect(session.screen.isCursorVisible == (cursor != nil))
        if let cursor {
          #expect(Point(x: session.screen.column, y: session.screen.row) == cursor)
        }
      }
    }

    @Test func nothingIsSentForAnEqualCanvas() async throws {
      let session = try Session()
      var random = Seeded(1)
      let canvas = Canvas.random(Size(width: 80, height: 24), using: &random)
      try await session.present(canvas)
      try await session.present(canvas)
      #expect(session.pty.output == [0x07])
    }

    @Test func changedDigitIsAFewBytes() async throws {
      let session = try Session()
      var canvas = Canvas(Size(width: 80, height: 24))
      for y in 0..<24 { canvas.write("timer 0:59 running", x: 4, y: y) }
      try await session.present(canvas)
      canvas.write("8", x: 13, y: 12)
      try await session.present(canvas)
      #expect(session.pty.output.count < 16)
      #expect(session.screen.difference(from: canvas) == nil)
    }

    @Test func aFrameOfAnotherSizeIsNotDrawn() async throws {
      let session = try Session(Size(width: 10, height: 3))
      var canvas = Canvas(Size(width: 10, height: 3))
      canvas.write("日本語", x: 0, y: 0)
      try await session.present(canvas)
      for size in [
        Size(width: 4, height: 2), Size(width: 0, height: 0), Size(width: 11, height: 5),
      ] {
        try session.terminal.present(Canvas(size))
        #expect(session.screen.difference(from: canvas) == nil)
      }
    }

    @Test func redrawingRepairsTheScreen() async throws {
      let session = try Session(Size(width: 20, height: 3))
      var canvas = Canvas(Size(width: 20, height: 3))
      canvas.write("tea", x: 5, y: 1, style: Style(.green))
      try await session.present(canvas)
      session.startScreen(canvas.size)
      try session.terminal.redraw()
      try await session.drainOutput()
      #expect(session.screen.difference(from: canvas) == nil)
    }

    @Test func largeFrameIsASynchronizedUpdate() async throws {
      let session = try Session()
      var canvas = Canvas(Size(width: 80, height: 24))
      for y in 0..<24 { canvas.write(String(repeating: "x\(y)", count: 40), x: 0, y: y) }
      try await session.present(canvas)
      let text = session.pty.text
      #expect(text.occurrences(of: "\u{1B}[?2026h") == 1)
      #expect(text.occurrences(of: "\u{1B}[?2026l") == 1)
    }

    /// A terminal that stops reading gets only the newest canvas afterwards.
    @Test func stalledTerminalGetsTheNewestCanvas() async throws {
      let size = Size(width: 200, height: 60)
      let session = try Session(size)
      var random = Seeded(7)
      session.pty.fillBuffer()
      var canvas = Canvas(size)
      for _ in 0..<40 {
        canvas = .random(size, using: &random)
        try session.terminal.present(canvas)
      }
      let end = "\u{1B}[?2026l"
      try await eventually {
        session.pty.read()
        return session.pty.text.occurrences(of: end) == 2
      }
      // The first canvas and the last one, none in between.
      try session.terminal.ring()
      try await eventually {
        session.pty.read()
        return session.pty.output.last == 0x07
      }
      #expect(session.pty.text.occurrences(of: end) == 2)
      var screen = VirtualScreen(size)
      screen.feed(session.pty.output)
      #expect(screen.difference(from: canvas) == nil)
    }
  }
}

extension String {
  /// Returns the number of occurrences of a text.
  func occurrences(of part: String) -> Int {
    var count = 0
    var rest = self[...]
    while let range = rest.firstRange(of: part) {
      count += 1
      rest = rest[range.upperBound...]
    }
    return count
  }
}
