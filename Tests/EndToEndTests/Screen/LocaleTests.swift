import Foundation
import Testing

/// Times of day in the format of the locale, and names with wide characters.
struct LocaleTests {
  /// Returns an environment with American times of day.
  private func american(in folder: TemporaryFolder) async throws -> [String: String] {
    let name = "en_US.UTF-8"
    var environment = ["LC_TIME": name]
    #if os(Linux)
      environment["LOCPATH"] = folder.path("locales")
      let made = try await run(
        [
          "sh", "-c",
          "mkdir \"$0\"; localedef -i en_US -f UTF-8 \"$0/\(name)\"; test -d \"$0/\(name)\"",
          folder.path("locales"),
        ], environment: Program.environment(in: folder), in: folder)
      try #require(made.ending == .exited(0), "make test installs locales: \(made.error)")
    #endif
    return environment
  }

  @Test func timesOfDayUseTheLocale() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = try await american(in: folder)
    try await withCarillon(
      "lunch=daily 13:05", columns: 120, rows: 36, environment: environment.mapValues { $0 }
    ) { terminal in
      try await terminal.screen("times with am and pm") { screen in
        screen.lines.first?.firstMatch(of: /\d:\d\d [ap]m$/) != nil && screen.contains("1:05:00 pm")
      }
    }
    let all = Program.environment(in: folder, with: environment)
    let line = try await run([Program.path(), "run", "10ms"], environment: all, in: folder)
    #expect(line.output.firstMatch(of: /^\d+:\d\d:\d\d [ap]m  10ms  finished\n$/) != nil)
    let state = folder.path("state/carillon/sessions")
    try FileManager.default.createDirectory(atPath: state, withIntermediateDirectories: true)
    try #"{"version":3,"savedAt":1,"timers":[{"timer":"l=daily 13:05","state":"running"}]}"#
      .write(toFile: "\(state)/main.json", atomically: true, encoding: .utf8)
    let status = try await run(
      [Program.path(), "status", "--format", "{at}"], environment: all, in: folder)
    #expect(status.output == "1:05:00 pm\n", "\(status.error)")
  }

  @Test func wideNamesKeepColumnsAligned() async throws {
    try await withCarillon("tea=10m paused", "日本語=10m paused", "한글=10m paused") { terminal in
      let screen = try await terminal.see("‖ paused", "10:00", inRow: "한글")
      let rows = try ["tea", "日本語", "한글"].map { try #require(screen.row($0)) }
      // A wide character is one character of the line and two columns of the screen.
      let columns = rows.map { row in
        let before = row.prefix(upTo: row.firstRange(of: "once")?.lowerBound ?? row.endIndex)
        return before.count + before.unicodeScalars.count { $0.value > 0x2FFF }
      }
      #expect(Set(columns).count == 1, "\(screen)")
      try await terminal.press("Down", "Enter")
      try await terminal.see("日本語")
    }
  }
}
