import Fuzzing
import Testing

@testable import TerminalCore

/// Returns the inputs of bytes that arrive at once, with a timeout at their end.
private func parse(_ text: String) -> [TerminalInput] {
  parse(Array(text.utf8))
}

private func parse(_ bytes: [UInt8]) -> [TerminalInput] {
  var parser = KeyParser()
  return parser.feed(bytes) + parser.timeout()
}

@Suite struct KeyParserTests {
  @Test(
    arguments: [
      ("a", .character("a")), ("R", .character("R")), (" ", .space), ("é", .character("é")),
      ("日", .character("日")), ("😀", .character("😀")),
      ("\r", .enter), ("\n", .enter), ("\t", .tab), ("\u{7F}", .backspace), ("\u{8}", .backspace),
      ("\u{0}", .control(" ")), ("\u{1}", .control("a")), ("\u{3}", .control("c")),
      ("\u{1A}", .control("z")), ("\u{1C}", .control("\\")), ("\u{1D}", .control("]")),
      ("\u{1E}", .control("^")), ("\u{1F}", .control("_")),
      ("\u{1B}", .escape), ("\u{1B}[", Key(.character("["), .alt)),
      ("\u{1B}O", Key(.character("O"), .alt)), ("\u{1B}]", Key(.character("]"), .alt)),
      ("\u{1B}P", Key(.character("P"), .alt)), ("\u{1B}a", Key(.character("a"), .alt)),
      ("\u{1B} ", Key(.character(" "), .alt)), ("\u{1B}é", Key(.character("é"), .alt)),
      ("\u{1B}\r", Key(.enter, .alt)), ("\u{1B}\u{7F}", Key(.backspace, .alt)),
      ("\u{1B}\u{1}", Key(.character("a"), [.alt, .control])),
      ("\u{1B}\u{1B}[A", Key(.up, .alt)), ("\u{1B}\u{1B}OB", Key(.down, .alt)),
    ] as [(String, Key)])
  func plainKeys(bytes: String, key: Key) {
    #expect(parse(bytes) == [.key(key)])
  }

  @Test(
    arguments: [
      // Cursor keys: normal, application, linux, rxvt.
      ("[A", .up), ("OA", .up), ("[B", .down), ("OB", .down), ("[C", .right), ("OC", .right),
      ("[D", .left), ("OD", .left), ("[H", .home), ("OH", .home), ("[F", .end), ("OF", .end),
      ("[1~", .home), ("[7~", .home), ("[4~", .end), ("[8~", .end), ("[2~", Key(.insert)),
      ("[3~", .delete), ("[5~", .pageUp), ("[6~", .pageDown), ("[Z", .backtab),
      // Function keys: vt, xterm, linux, rxvt.
      ("OP", Key(.function(1))), ("OQ", Key(.function(2))), ("OR", Key(.function(3))),
      ("OS", Key(.function(4))), ("[P", Key(.function(1))), ("[[A", Key(.function(1))),
      ("[[E", Key(.function(5))), ("[11~", Key(.function(1))), ("[15~", Key(.function(5))),
      ("[17~", Key(.function(6))), ("[21~", Key(.function(10))), ("[23~", Key(.function(11))),
      ("[24~", Key(.function(12))), ("[25~", Key(.function(13))), ("[28~", Key(.function(15))),
      ("[34~", Key(.function(20))),
      // Modifiers: xterm, its older forms, rxvt.
      ("[1;5A", Key(.up, .control)), ("[1;2B", Key(.down, .shift)), ("[1;3C", Key(.right, .alt)),
      ("[1;8D", Key(.left, [.shift, .alt, .control])), ("[1;9A", Key(.up, .alt)),
      ("O5A", Key(.up, .control)), ("O1;5A", Key(.up, .control)), ("[1;5H", Key(.home, .control)),
      ("[3;5~", Key(.delete, .control)), ("[15;2~", Key(.function(5), .shift)),
      ("[1;5P", Key(.function(1), .control)), ("[1;2R", Key(.function(3), .shift)),
      ("[a", Key(.up, .shift)), ("[d", Key(.left, .shift)), ("Oa", Key(.up, .control)),
      ("Od", Key(.left, .control)), ("[7$", Key(.home, .shift)), ("[7^", Key(.home, .control)),
      ("[7@", Key(.home, [.shift, .control])), ("[1;2Z", .backtab),
      // Numeric pad in application mode.
      ("OM", .enter), ("Oj", .character("*")), ("Ok", .character("+")), ("Om", .character("-")),
      ("Oo", .character("/")), ("Op", .character("0")), ("Oy", .character("9")),
      ("OX", .character("=")), ("OI", .tab),
      // Keys by number.
      ("[97u", .character("a")), ("[97;5u", .control("a")), ("[27u", .escape),
      ("[13;3u", Key(.enter, .alt)), ("[9;2u", .backtab), ("[97;2u", .character("A")),
      ("[27;5;13~", Key(.enter, .control)), ("[127;3u", Key(.backspace, .alt)),
      ("[97:65;2u", .character("A")), ("[233u", .character("é")),
    ] as [(String, Key)])
  func sequences(bytes: String, key: Key) {
    #expect(parse("\u{1B}" + bytes) == [.key(key)])
  }

  @Test(arguments: [
    // Replies: device attributes, status, cursor, modes, colors, settings, names.
    "\u{1B}[?64;1;2;6c", "\u{1B}[>0;276;0c", "\u{1B}[0n", "\u{1B}[24;80R", "\u{1B}[?2026;2$y",
    "\u{1B}[4;1$y", "\u{1B}]11;rgb:0000/0000/0000\u{1B}\\", "\u{1B}]10;rgb:ff/ff/ff\u{7}",
    "\u{1B}P1$r0m\u{1B}\\", "\u{1B}P>|xterm(380)\u{1B}\\", "\u{1B}_Gi=1;OK\u{1B}\\",
    "\u{1B}[?1u", "\u{1B}[8;24;80t", "\u{1B}[201~", "\u{1B}[1;1E", "\u{1B}[99~", "\u{1B}[~",
    "\u{1B}[1;;;;;x", "\u{1B}OZ", "\u{1B}[[Z", "\u{1B}[<0;1M", "\u{1B}[<1;2;3X", "\u{1B}[55555u",
    "\u{1B}[" + String(repeating: "1;", count: 500) + "A",
    "\u{1B}O" + String(repeating: "1", count: 500) + "A",
    "\u{1B}]" + String(repeating: "x", count: 5000) + "\u{7}",
    "\u{1B}[99999999999999999999999999~", "\u{85}",
  ])
  func otherSequencesAreDropped(bytes: String) {
    #expect(parse(bytes) == [])
    #expect(parse(bytes + "a") == [.key(.character("a"))])
  }

  @Test(
    arguments: [
      ([0xFF], ""), ([0x80, 0x61], "a"), ([0xC3, 0x61], "a"), ([0xE2, 0x82, 0x61], "a"),
      ([0xF0, 0x9F, 0x98, 0xC3, 0xA9], "é"), ([0xC0, 0x80], ""), ([0xE0, 0x80, 0x80], ""),
      ([0xED, 0xA0, 0x80], ""), ([0xF4, 0x90, 0x80, 0x80, 0x61], "a"), ([0x1B, 0xFF, 0x61], "a"),
    ] as [([UInt8], String)])
  func invalidUTF8IsDropped(bytes: [UInt8], keys: String) {
    #expect(parse(bytes) == keys.map { .key(.character($0)) })
  }

  @Test func everyEscapeIsAKey() {
    #expect(parse("\u{1B}\u{1B}") == [.key(.escape), .key(.escape)])
    #expect(parse("\u{1B}\u{1B}\u{1B}") == Array(repeating: .key(.escape), count: 3))
    #expect(parse("\u{1B}\u{1B}a") == [.key(.escape), .key(Key(.character("a"), .alt))])
  }

  @Test func brokenSequenceIsDroppedAndTheNextInputParsed() {
    #expect(parse("\u{1B}[1;5\u{1B}[A") == [.key(.up)])
    #expect(parse("\u{1B}[1;\u{3}") == [.key(.control("c"))])
    #expect(parse("\u{1B}]0;title\u{3}a") == [.key(.control("c")), .key(.character("a"))])
    #expect(parse("\u{1B}P0;title\u{1B}[A") == [.key(.up)])
    #expect(parse("\u{1B}[M\r") == [.key(.enter)])
    #expect(parse("\u{1B}[é") == [.key(.character("é"))])
  }

  @Test(arguments: [
    ("[<0;5;7M", MouseEvent(.press(button: 1), at: Point(x: 4, y: 6))),
    ("[<0;5;7m", MouseEvent(.release(button: 1), at: Point(x: 4, y: 6))),
    ("[<2;1;1M", MouseEvent(.press(button: 3), at: Point(x: 0, y: 0))),
    ("[<33;10;2M", MouseEvent(.drag(button: 2), at: Point(x: 9, y: 1))),
    ("[<64;400;120M", MouseEvent(.scrollUp, at: Point(x: 399, y: 119))),
    ("[<65;1;1M", MouseEvent(.scrollDown, at: Point(x: 0, y: 0))),
    ("[<28;1;1M", MouseEvent(.press(button: 1), at: Point(x: 0, y: 0), [.shift, .alt, .control])),
    ("[<0;0;0M", MouseEvent(.press(button: 1), at: Point(x: 0, y: 0))),
    ("[M !!", MouseEvent(.press(button: 1), at: Point(x: 0, y: 0))),
    ("[M#$%", MouseEvent(.release(button: 1), at: Point(x: 3, y: 4))),
    ("[M`!!", MouseEvent(.scrollUp, at: Point(x: 0, y: 0))),
  ])
  func mouse(bytes: String, event: MouseEvent) {
    #expect(parse("\u{1B}" + bytes) == [.mouse(event)])
  }

  @Test func focus() {
    #expect(parse("\u{1B}[I\u{1B}[O") == [.focus(true), .focus(false)])
  }

  @Test func timeoutsAreShortOnlyWhereAKeyIsPossible() {
    let expected: [(String, Duration?)] = [
      ("", nil), ("a", nil), ("\u{1B}", .milliseconds(25)), ("\u{1B}[", .milliseconds(25)),
      ("\u{1B}O", .milliseconds(25)), ("\u{1B}]", .milliseconds(25)),
      ("\u{1B}[1", .milliseconds(250)), ("\u{1B}]1", .milliseconds(250)),
      ("\u{1B}[200~", .seconds(1)), ("\u{1B}[A", nil),
    ]
    for (bytes, timeout) in expected {
      var parser = KeyParser()
      _ = parser.feed(bytes.utf8)
      #expect(parser.pendingTimeout == timeout)
      #expect(parser.isWaiting == (timeout != nil))
    }
  }
}

@Suite struct PasteTests {
  @Test func pasteIsOnePieceWithAnyContent() {
    let text = "q\r\n\u{3}\u{1B}[A\u{1B}[20~\u{1B}\u{1B}[201x é"
    #expect(parse("\u{1B}[200~\(text)\u{1B}[201~q") == [.paste(text), .key(.character("q"))])
    #expect(parse("\u{1B}[200~\u{1B}[201~") == [.paste("")])
  }

  @Test func pasteWithoutAnEndIsReportedAfterTheTimeout() {
    #expect(parse("\u{1B}[200~half\u{1B}[20") == [.paste("half")])
  }

  @Test func longPasteIsCutBetweenCharacters() {
    // One byte more than the limit, cut within the last é.
    let text = "x" + String(repeating: "é", count: PasteCollector.limit / 2)
    let kept = "x" + String(repeating: "é", count: PasteCollector.limit / 2 - 1)
    #expect(parse("\u{1B}[200~\(text)\u{1B}[201~a") == [.paste(kept), .key(.character("a"))])
  }
}

@Suite struct KeyParserPropertyTests {
  private static let pieces = [
    "a", "é", "日", "\u{1B}", "\u{1B}[A", "\u{1B}OA", "\u{1B}[1;5C", "\u{1B}[[B", "\u{1B}[7$",
    "\u{1B}[<0;3;4M", "\u{1B}[M !!", "\u{1B}[I", "\u{1B}[200~x\u{1B}[\r\u{1B}[201~", "\u{1B}\u{1B}",
    "\u{1B}]0;t\u{7}", "\u{1B}P1\u{1B}\\", "\u{1B}[?1;2c", "\u{3}", "\u{1B}x", "\u{1B}[12;3R",
  ]

  /// The same bytes give the same inputs in any pieces.
  @Test(arguments: 0..<40 as Range<UInt64>) func piecesDoNotMatter(seed: UInt64) {
    var random = SplitMix(state: seed)
    let text = (0..<6).compactMap { _ in Self.pieces.randomElement(using: &random) }.joined()
    let bytes = Array(text.utf8)
    let whole = parse(bytes)
    for cut in 0...bytes.count {
      var parser = KeyParser()
      let inputs = parser.feed(bytes[..<cut]) + parser.feed(bytes[cut...]) + parser.timeout()
      #expect(inputs == whole)
    }
    var parser = KeyParser()
    #expect(bytes.flatMap { parser.feed([$0]) } + parser.timeout() == whole)
  }

  /// Random bytes never trap, and after the timeout the next key is parsed.
  @Test(arguments: 0..<100 as Range<UInt64>) func randomBytesLeaveNothingBehind(seed: UInt64) {
    var random = SplitMix(state: seed)
    for _ in 0..<50 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...40, using: &random) {
        if Bool.random(using: &random) {
          bytes += (Self.pieces.randomElement(using: &random) ?? "").utf8
        } else {
          bytes.append(.random(in: 0...255, using: &random))
        }
      }
      var parser = KeyParser()
      _ = parser.feed(bytes)
      _ = parser.timeout()
      #expect(!parser.isWaiting)
      #expect(parser.feed([UInt8(ascii: "a")]) == [.key(.character("a"))])
    }
  }
}
