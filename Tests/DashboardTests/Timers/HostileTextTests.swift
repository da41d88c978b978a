import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// Names, notes, phases, commands and their last lines are shown, but control characters are never
/// sent.
@Suite struct HostileTextTests {
  private static let texts: [String] =
    (Array(0..<0x20) + Array(0x7F..<0xA0) as [UInt32]).compactMap(Unicode.Scalar.init)
    .map { "a\($0)b" } + ["\u{1B}]52;c;cHduZWQ=\u{7}\u{1B}[2J\u{9B}2J$(touch pwned)"]

  @Test(arguments: texts) func isEscapedInEveryView(text: String) throws {
    let fixture = try Fixture(width: 120, height: 36)
    var spec = TimerSpec(name: text, kind: .every(.seconds(1), count: nil))
    spec.note = text
    spec.command = text
    fixture.perform(.start([spec]))
    let id = try #require(fixture.board.timers.all.first).id
    fixture.advance(by: .seconds(1))
    fixture.commandEnded(id, CommandResult(.exited(1), lastLine: text))
    fixture.send(.error(text))
    for keys in ["", "e", "2", "3", "L", "1/"] {
      fixture.type(keys)
      if keys.hasSuffix("/") { fixture.send(.input(.paste(text))) }
      let controls = fixture.lines.joined().unicodeScalars
        .filter { $0.properties.generalCategory == .control }
      #expect(controls.isEmpty, "after \(keys)")
      fixture.press(.escape)
    }
  }
}
