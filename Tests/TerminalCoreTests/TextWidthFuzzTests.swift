import Fuzzing
import Testing

@testable import TerminalCore

/// Random Unicode text: its width equals the drawn width, and it is cut between characters.
@Suite struct TextWidthFuzzTests {
  @Test func widthEqualsTheDrawnWidth() {
    let found = failures(
      sequences: 800, steps: 1..<24, setup: { _ in }, step: { $0.scalar() },
      failure: { _, scalars in
        var text = ""
        text.unicodeScalars.append(contentsOf: scalars)
        let width = text.cellWidth
        var canvas = Canvas(Size(width: 60, height: 1))
        let end = canvas.write(text, x: 3, y: 0)
        guard end == 3 + width else { return "\(width) wide, drawn up to \(end)" }
        guard (end..<60).allSatisfy({ canvas[$0, 0] == .blank }) else { return "drawn too far" }

        // Drawing the text of the screen again gives the same screen.
        let drawn = (3..<end).map { canvas[$0, 0].text }.joined()
        var again = Canvas(canvas.size)
        again.write(drawn, x: 3, y: 0)
        guard again == canvas, drawn.cellWidth == width else {
          return "\(drawn) is drawn differently"
        }
        return cutFault(of: text, width)
      })
    #expect(found == [])
  }

  private func cutFault(of text: String, _ width: Int) -> String? {
    for limit in -1...width {
      let cut = text.truncated(to: limit)
      if limit >= width {
        guard cut == text else { return "cut at \(limit)" }
        continue
      }
      let isFull = limit < 2 || cut.cellWidth >= limit - 1
      guard cut.cellWidth <= max(0, limit), isFull else {
        return "cut to \(limit): \(cut.cellWidth) wide"
      }
      guard limit > 0 else { continue }
      guard cut.hasSuffix("…") || cut.unicodeScalars.last == "…" else { return "no … at \(limit)" }
      let kept = Array(cut.glyphs.dropLast())
      guard kept == Array(text.glyphs.prefix(kept.count)) else { return "cut within, at \(limit)" }
    }
    return nil
  }
}
