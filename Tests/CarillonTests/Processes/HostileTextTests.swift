import Dashboard
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// No part of a name, a phase or a command's last line is interpreted by its receiver.
struct HostileTextTests {
  /// Every control character, characters that reorder the text after them, escape sequences and
  /// shell syntax.
  static let texts: [String] =
    (Array(0..<0x20) + Array(0x7F..<0xA0) as [UInt32]).compactMap(Unicode.Scalar.init)
    .map { "a\($0)b" }
    + ["a\u{202E}b", "a\u{2066}b\u{2069}", "a\u{202A}b\u{202C}", "a\u{2028}b"]
    + ["$(touch pwned) `touch pwned`; touch pwned \u{1B}]52;c;cHduZWQ=\u{7}\u{1B}[2J\u{9B}2J"]

  private static func controls(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { scalar in
      scalar.properties.generalCategory == .control || [0x2028, 0x2029].contains(scalar.value)
        || (0x202A...0x202E).contains(scalar.value) || (0x2066...0x2069).contains(scalar.value)
    }
  }

  private func event(named name: String) -> EventText {
    let now = ClockReading(wall: WallInstant(nanosecondsSince1970: 0))
    let phase = Cycle.Phase(name, .seconds(45))
    let spec = TimerSpec(name: name, kind: .cycle([phase], rounds: nil))
    let timer = Board([spec], at: now).timers[0]
    return EventText(
      Transition(
        event: .phase, id: TimerID(1), spec: spec, machine: timer.machine,
        fire: Fire(lateness: .zero)),
      at: now)
  }

  @Test(arguments: texts) func printedTextHasNoControlCharacters(text: String) throws {
    let event = event(named: text)
    #expect(Self.controls(event.line(uses24Hours: true)) == [])
    #expect(Self.controls(event.json()) == [])
    let result = CommandResult(.notStarted(reason: text), lastLine: text)
    #expect(Self.controls(result.json(of: text, at: .init(nanosecondsSince1970: 0))) == [])
    let spec = TimerSpec(name: text, kind: .once(.minutes(3)), note: text)
    let now = ClockReading(wall: WallInstant(nanosecondsSince1970: 0))
    var status = StatusText(timers: Board([spec], at: now).timers.all, now: now)
    #expect(Self.controls(status.table) == ["\n"])
    #expect(Self.controls(status.json) == ["\n"])
    for escape in [nil] + StatusText.Escape.allCases {
      status.escape = escape
      #expect(Self.controls(status.formatted("{name} {timer}")) == ["\n"])
    }
  }

  /// A hook receives the name unchanged, except for NUL, which an environment cannot contain; only
  /// as a value.
  @Test(arguments: texts) func aHookReceivesTheNameAsAValue(text: String) {
    let environment = event(named: text).environment
    #expect(environment["CARILLON_NAME"] == String(text.unicodeScalars.filter { $0 != "\0" }))
    #expect(environment.keys.allSatisfy { $0.hasPrefix("CARILLON_") })
  }

  @Test(arguments: texts) func errorsHaveNoControlCharacters(text: String) {
    // A message can have several lines.
    #expect(Set(Self.controls(Program.diagnostic("\(text): there is no such file"))) == ["\n"])
  }

  @Test(arguments: texts) func desktopNotificationsHaveNoControlCharacters(text: String) {
    let message = NotificationMessage([TimerNotification(event: .failed, timer: text, text: text)])
    for notifier in [DesktopNotifier.notifySend, .osascript] {
      let command = notifier.command(title: message.title, text: message.text)
      #expect(command.flatMap { Self.controls($0) } == [])
    }
  }
}
