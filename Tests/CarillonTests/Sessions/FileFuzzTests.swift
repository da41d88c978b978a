import Assets
import Fuzzing
import TerminalCore
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// Damaged configuration and session files are read, or rejected with a reason.
struct FileFuzzTests {
  private static let hostile = [
    "\u{0}", "\u{1B}[2J", "\u{1B}]52;c;x\u{7}", "\u{9B}31m", "$(touch pwned)", "`id`", "'", "\"",
    "\"\"\"", "\\", "\\u0000", "\\u001b]0;x\\u0007", "\\uD800", "\u{202E}", "\u{FEFF}", "\u{2028}",
    "日本", "👨‍👩‍👧", "e\u{301}\u{301}\u{301}", "\r", "\t", "../../etc/passwd", "%s%n", "-rf",
    String(repeating: "[", count: 3_000), String(repeating: "x", count: 70_000),
  ]

  private static let configurationPieces =
    hostile + [
      "[", "]", "[[", "\n[ ", "[.a]", "\u{B}", "\u{C}", "\u{85}", "\u{A0}", "{", "}", "=", ".", ",",
      "#", "\n", "[keys.board]\n", "[themes.a]\n",
      "[display]\n", "presets.a = ", "theme = ", "\"mono\"", "timers = [", "\"every 3s x8\", ",
      "resume = \"frozen\"\n", "base = \"light\"\n", "Ctrl-X = \"none\"\n", "at-once = ",
      "time-limit = \"9h\"\n", "1979-05-27T07:32:00Z", "inf", "nan", "true", "'''",
      String(repeating: "a.", count: 300), String(repeating: "{a=", count: 300),
      "normal = \"bold #40c0ff on 7\"\n", "\"\" = 1\n",
    ]

  @Test func anyConfigurationIsParsedOrRejectedWithALineOrAKey() {
    let found = failures(
      sequences: 150, steps: 0..<12, setup: { $0.below(4) },
      step: { TextMutation(&$0, pieces: Self.configurationPieces) },
      failure: { base, changes in
        let bytes = changes.applied(to: base == 0 ? [] : Array(Assets.configuration.utf8))
        do throws(ConfigurationErrors) {
          let configuration = try Configuration(bytes, file: "a.toml")
          return configuration.commandLimit > 0 && configuration.commandTimeLimit ?? .zero > .zero
            ? nil : "\(configuration)"
        } catch {
          let faults = error.all.compactMap { Self.fault(of: $0, in: bytes) }
          return error.all.isEmpty ? "no error" : faults.first
        }
      })
    #expect(found == [])
  }

  private static func fault(of error: ConfigurationError, in bytes: [UInt8]) -> String? {
    guard error.file == "a.toml", !error.problem.isEmpty else { return "\(error)" }
    // Invalid text has no lines, and a file that is too large is not read.
    guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0),
      bytes.count <= 128 << 10
    else { return nil }
    // Errors of meaning name the key.
    guard let line = error.line else { return error.key.isEmpty ? "no line: \(error)" : nil }
    let lines = bytes.split(separator: 10, omittingEmptySubsequences: false).count
    return (1...lines).contains(line) ? nil : "line \(line) of \(lines): \(error)"
  }

  private static let sessionPieces =
    hostile + [
      "{", "}", "[", "]", ":", ",", "\"", "null", "true", "\"state\" : \"running\"",
      "\"state\" : \"finished\",", "\"state\" : \"cancelled\",", "\"left\" : 1e300,",
      "\"left\" : -1,", "\"iterations\" : 9223372036854775807,", "\"iterations\" : 0,",
      "\"phaseIndex\" : 9223372036854775807,", "\"phaseIndex\" : -3,", "\"elapsed\" : 1e300,",
      "\"laps\" : [5, -1, 1e300],", "\"version\" : 2,", "\"savedAt\" : -1e300,",
      "every 1s x3", "cycle 1s/2s x4", " then tea", " then tea x3", " then box",
      " group box", "\"chain\" : {\"rounds\" : 1, \"head\" : 1},",
      "\"chain\" : {\"snoozed\" : true, \"head\" : -9, \"rounds\" : 9223372036854775807},",
      "at 2020-01-01T00:00", "stopwatch", " paused",
      "debounce 1s", "daily 09:00", "10ms", "876000h", " x1000000000",
    ]

  /// One timer restarts itself when it has finished.
  private static let words = SessionSample.words.replacing(
    "ring\n", with: "ring then tea\n")

  private static let wall = SessionSample.wall

  private static func session() throws -> [UInt8] {
    SessionFile(try TimerSpec.parse(arguments: [words]), at: wall).bytes
  }

  /// The file is opened, or kept unchanged under another name. An opened session can run, and is saved
  /// and opened again as it was.
  @Test func anySessionIsOpenedOrKept() throws {
    let session = try Self.session()
    let found = failures(
      sequences: 40, steps: 0..<8, setup: { Int64($0.below(1 << 40)) * 1_000_000 },
      step: { TextMutation(&$0, pieces: Self.sessionPieces) },
      failure: { later, changes in
        let bytes = changes.applied(to: session)
        do {
          return try Self.fault(of: bytes, opened: Self.wall.advanced(by: .nanoseconds(later)))
        } catch {
          return "\(error)"
        }
      })
    #expect(found == [])
  }

  private static func fault(of bytes: [UInt8], opened now: WallInstant) throws -> String? {
    let session = try TemporarySession(["main.json": bytes])
    defer { session.remove() }
    let launch = try LaunchOptions.opening(try session.store())
    defer { launch.ownership?.release() }
    guard launch.ownership != nil, !launch.isFirstStart else {
      return "the session cannot be saved"
    }
    if let error = launch.error {
      guard error.hasPrefix("the session could not be read") else { return error }
      return session.files["main.json.unreadable"] == bytes && launch.restored == nil
        ? nil : "lost: \(error)"
    }
    for restorePolicy in [RestorePolicy.catchUp, .keepTimeLeft] {
      let now = ClockReading(wall: now)
      guard let restored = launch.restored else { continue }
      let board = Board(listing: restored, restorePolicy, at: now)
      for timer in restored.timers + board.timers.all { _ = timer.timeText(at: now) }
      let again = SessionFile(board, at: now).bytes
      let read = try SessionFile(again).restored(at: now).timers
      guard read.map(\.spec) == board.timers.all.map(\.spec) else {
        return "saved as \(String(decoding: again, as: UTF8.self))"
      }
      let text = StatusText(timers: read, now: now)
      let isPlain = (text.table + text.json).utf8.allSatisfy { $0 >= 0x20 || $0 == 10 }
      guard isPlain else { return "formatted as \(text.table)" }
    }
    return nil
  }
}
