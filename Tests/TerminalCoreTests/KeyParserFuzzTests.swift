import Fuzzing
import TerminalCore
import Testing

/// Random bytes in random pieces.
@Suite struct KeyParserFuzzTests {
  /// The same bytes give the same inputs in any pieces, and the parser holds nothing afterwards.
  @Test func piecesDoNotMatter() {
    let found = failures(
      sequences: 2_000, steps: 1..<40, setup: { $0.next() }, step: { $0.bytes() },
      failure: { cutSeed, pieces in
        let bytes = pieces.flatMap { $0 }
        var whole = KeyParser()
        let inputs = whole.feed(bytes) + whole.timeout()
        var single = KeyParser()
        guard bytes.flatMap({ single.feed([$0]) }) + single.timeout() == inputs else {
          return "byte by byte differs from \(inputs)"
        }
        var cuts = SplitMix(state: cutSeed)
        var cut = KeyParser()
        var rest = bytes[...]
        var seen: [TerminalInput] = []
        while !rest.isEmpty {
          let count = 1 + cuts.below(7)
          seen += cut.feed(rest.prefix(count))
          rest = rest.dropFirst(count)
        }
        guard seen + cut.timeout() == inputs else { return "pieces differ: \(seen)" }
        return stuckFault(of: cut)
      })
    #expect(found == [])
  }

  /// The parser holds nothing after a timeout at any position.
  @Test func timeoutsLeaveNothingBehind() {
    let found = failures(
      sequences: 2_000, steps: 1..<40, setup: { _ in }, step: { $0.bytes() },
      failure: { _, pieces in
        var parser = KeyParser()
        for piece in pieces {
          _ = parser.feed(piece)
          guard parser.isWaiting == (parser.pendingTimeout != nil) else {
            return "waits without a timeout"
          }
          if parser.isWaiting { _ = parser.timeout() }
          if let fault = stuckFault(of: parser) { return fault }
        }
        return nil
      })
    #expect(found == [])
  }

  private func stuckFault(of parser: KeyParser) -> String? {
    var parser = parser
    guard !parser.isWaiting else { return "still waiting" }
    let inputs = parser.feed([UInt8(ascii: "a")])
    return inputs == [.key(.character("a"))] ? nil : "an a is \(inputs)"
  }
}

extension SplitMix {
  /// Returns a byte or a sequence of a terminal, which can be cut or have a wrong byte.
  fileprivate mutating func bytes() -> [UInt8] {
    let sequences = [
      "a", "é", "日", "\u{1B}", "\u{1B}[", "\u{1B}O", "\u{1B}]", "\u{1B}P", "\u{1B}\\", "\u{7}",
      "\u{1B}[A", "\u{1B}[1;5C", "\u{1B}[[B", "\u{1B}[7$", "\u{1B}[<0;3;4M", "\u{1B}[M !!",
      "\u{1B}[I", "\u{1B}[200~", "\u{1B}[201~", "\u{1B}[201", "\u{1B}[12;3R", "\u{1B}[97;6u",
      "\u{1B}[<99999999999999999999;-1;0m", "\u{1B}[27;5;1114112~", "\u{3}",
    ]
    switch below(4) {
    case 0: return [UInt8(below(256))]
    case 1: return [UInt8(0x20 + below(0x60))]
    default:
      var bytes = Array(one(of: sequences).utf8)
      if below(4) == 0 { bytes[below(bytes.count)] = UInt8(below(256)) }
      if below(4) == 0 { bytes.removeLast() }
      return bytes
    }
  }
}
