import Foundation
import Testing

/// Random keys in a real terminal: the program continues, and the screen equals a complete redraw.
struct RandomKeysTests {
  /// `CARILLON_RANDOM_KEYS=5000` sets the number of keys, `CARILLON_SEED` repeats a run.
  @Test func randomKeysLeaveACorrectScreen() async throws {
    let environment = ProcessInfo.processInfo.environment
    let seed = environment["CARILLON_SEED"].flatMap(UInt64.init) ?? .random(in: 0...UInt64.max)
    let count = environment["CARILLON_RANDOM_KEYS"].flatMap(Int.init) ?? 1000
    print("random keys: CARILLON_RANDOM_KEYS=\(count) CARILLON_SEED=\(seed)")
    var keys = RandomKeys(seed: seed)
    try await withCarillon("tea=3m", "sets=every 300ms x50", "beat=every 1s") { terminal in
      try await terminal.see("beat")
      for round in 0..<max(1, count / 500) {
        for _ in 0..<5 {
          try await terminal.resize(
            columns: keys.number(in: 1...130), rows: keys.number(in: 1...40))
          try await terminal.press(keys.keys(100))
        }
        print("random keys: round \(round)")
        try await checkScreen(of: terminal, round)
      }
    }
  }

  private func checkScreen(of terminal: TmuxTerminal, _ round: Int) async throws {
    try await terminal.resize(columns: 100, rows: 30)
    try await goToBoard(of: terminal)
    // Deletions outnumber additions; the next keys need a timer.
    try await terminal.press("a")
    try await terminal.see("Esc cancel")
    try await terminal.type("r\(round)=every 400ms")
    try await terminal.press("Enter")
    try await terminal.see("▶")
    try await press("P", in: terminal) { screen in
      !screen.contains("▶") && !screen.contains("◆")
    }
    // An alert pulses for ten seconds, and its time counts up.
    try await press("Escape", in: terminal) { screen in
      !screen.contains("Space done") && !screen.contains("▷")
    }
    // With a cell of a day, the timeline does not move during the comparison.
    try await terminal.press("3")
    try await terminal.press("-", times: 20)
    let views = ["2", "3", "L", "?", "a"]
    for view in ["1", views[round % views.count]] {
      try await goToBoard(of: terminal)
      try await terminal.press(view)
      try await terminal.expectSameScreenAfterRedraw("view \(view)")
    }
    try await goToBoard(of: terminal)
    try await terminal.press("P")
  }

  private func goToBoard(of terminal: TmuxTerminal) async throws {
    // Earlier keys have taken effect when the text typed now is on the screen.
    let sign = "zzzzzz"
    let isInTime = try await eventually {
      // A key directly after Escape is parsed with Alt, so 1 is pressed twice.
      for key in ["Escape", "1", "1", "a"] { try await terminal.press(key) }
      try await terminal.type(sign)
      return try await eventually(within: .seconds(2)) {
        try await terminal.screen().contains(sign)
      }
    }
    let screen = try await terminal.screen()
    try #require(isInTime, "keys have no effect:\n\(screen)")
    // The character may have been typed into a prompt over another view.
    try await press("Escape", "1", in: terminal) { screen in
      screen.isComplete && screen.lines.last?.contains("a add") ?? false
    }
  }

  /// Presses keys in turn, each with time for its effect, until the screen meets a condition.
  private func press(
    _ keys: String..., in terminal: TmuxTerminal, until isSo: (Screen) -> Bool
  ) async throws {
    var turn = 0
    let isMet = try await eventually {
      if try await eventually(within: .milliseconds(200), { isSo(try await terminal.screen()) }) {
        return true
      }
      try await terminal.press(keys[turn % keys.count])
      turn += 1
      return false
    }
    let screen = try await terminal.screen()
    try #require(isMet, "\(keys) did not help:\n\(screen)")
  }
}

/// Random keys by their tmux names: most have an action, and some add timers.
private struct RandomKeys: RandomNumberGenerator {
  /// All characters except those that quit the program, suspend it where no shell could resume it, or start
  /// such a command; tmux itself parses a semicolon.
  private static let characters = (0x21...0x7E).map { String(UnicodeScalar($0)) }
    .filter { !["q", "Q", "D", ":", ";"].contains($0) }
  private static let named =
    [
      "Up", "Down", "Left", "Right", "Home", "End", "PPage", "NPage", "Tab", "BTab", "Enter",
      "Space",
      "Escape", "BSpace", "DC", "F1", "F5", "M-b", "M-d", "M-f", "M-BSpace", "ü", "朝",
    ] + "abdefhklnopruvwxy".map { "C-\($0)" }
  private static let lines = [
    "aevery 2s x3", "ax=cycle 1s/2s", "a1s then x", "astopwatch", "adebounce 1s max 3s", "a3x",
    "aidle 2s paused", "adaily 07:30", "a80ms", "aevery 1h note 'now and then'",
    "athrottle 500ms deferred", ":theme", ":tenths", ":theme mono", ":digits",
  ]
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }

  mutating func number(in range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }

  mutating func keys(_ count: Int) -> [String] {
    var keys: [String] = []
    while keys.count < count {
      switch number(in: 0...99) {
      case 0..<2:
        let line = Self.lines.randomElement(using: &self) ?? ""
        keys += ["Escape", "Escape"] + line.map { $0 == " " ? "Space" : "\($0)" } + ["Enter"]
      case 2..<65: keys.append(Self.characters.randomElement(using: &self) ?? "j")
      default: keys.append(Self.named.randomElement(using: &self) ?? "Up")
      }
    }
    return keys
  }
}
