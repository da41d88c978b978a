import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// What names, notes, phases, commands and their last lines hold is shown, and never sent as it is.
@Suite struct HostileTextTests {
  private static let texts: [String] =
    (Array(0..<0x20) + Array(0x7F..<0xA0) as [UInt32]).compactMap(Unicode.Scalar.init)
    .map { "a\($0)b" } + ["\u{1B}]52;c;cHduZWQ=\u{7}\u{1B}[2J\u{9B}2J$(touch pwned)"]

  @Test(arguments: texts) func onEveryScreen(text: String) throws {
    let stage = try Stage(width: 120, height: 36)
    var spec = TimerSpec(name: text, kind: .every(.seconds(1), count: nil))
    spec.note = text
    spec.command = text
    let now = stage.now
    stage.dashboard = Dashboard(options: .init(), size: Size(width: 120, height: 36))
    let effects = stage.dashboard.start(with: [.start([spec])], at: now)
    guard case .board(.create(let id, _, _))? = effects.first else {
      Issue.record("nothing was made")
      return
    }
    let status = TimerCheckpoint(startOf: spec, at: now).status(at: now)
    stage.apply(.timer(id, .fired(Fire(lateness: .zero)), status))
    stage.apply(.timer(id, .changed, status))
    stage.apply(.commandEnded(id, CommandResult(.exited(1), lastLine: text), isRunning: false))
    stage.send(.error(text))
    for keys in ["", "e", "2", "3", "L", "1/"] {
      stage.type(keys)
      if keys.hasSuffix("/") { stage.send(.input(.paste(text))) }
      let controls = stage.lines.joined().unicodeScalars
        .filter { $0.properties.generalCategory == .control }
      #expect(controls.isEmpty, "after \(keys)")
      stage.press(.escape)
    }
  }
}
