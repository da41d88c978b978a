import Foundation
import Testing

/// The history that real processes record.
struct HistoryTests {
  private func carillon(_ arguments: [String], in folder: TemporaryFolder) async throws -> Finished
  {
    try await run(
      [Program.path()] + arguments, environment: Program.environment(in: folder), in: folder)
  }

  private struct Record: Decodable {
    var id: String
    var timer: String
    var start: String
    var end: String
    var ending: String
    var activeMs: Int
    var session: String?
    var note: String?
    var result: String?
  }

  private func records(in folder: TemporaryFolder) async throws -> [Record] {
    let output = try await carillon(["history", "--json"], in: folder)
    #expect(output.ending == .exited(0) && output.error.isEmpty)
    return try output.output.split(separator: "\n").map {
      try JSONDecoder().decode(Record.self, from: Data($0.utf8))
    }
  }

  /// The run ends because nobody reads its output any more.
  @Test func aRunWithoutAReaderIsRecorded() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let script = "\"$0\" run --record a=every 600ms long=1h | head -2"
    _ = try await run(
      ["/bin/sh", "-c", script, Program.path()], environment: Program.environment(in: folder),
      in: folder)
    let records = try await records(in: folder)
    #expect(records.map { "\($0.timer) \($0.ending)" }.sorted() == ["a ended", "long ended"])
  }

  @Test func runRecordsWhenItIsAskedTo() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    _ = try await carillon(["run", "-q", "tea=200ms"], in: folder)
    #expect(try await records(in: folder).isEmpty)
    let run = try await carillon(
      [
        "run", "--record", "tea=200ms note 'two bags' run 'exit 3'", "p=cycle 300ms/200ms x2",
        "long=1h",
        "--max-time", "1500ms",
      ], in: folder)
    #expect(run.ending == .exited(0))
    let records = try await records(in: folder)
    #expect(
      records.map { "\($0.timer) \($0.ending)" }.sorted() == [
        "long ended", "p finished", "p finished", "p finished", "tea finished",
      ])
    let tea = try #require(records.first { $0.timer == "tea" })
    #expect(tea.activeMs >= 200 && tea.session == nil && tea.note == nil)
    #expect(tea.result == "exit 3")
    let stats = try await carillon(["stats", "--name", "tea"], in: folder)
    #expect(stats.output.contains("in 1 stretch on 1 day, 1 finished"))
    let csv = try await carillon(["history", "--csv", "--since", "today"], in: folder)
    #expect(csv.output.split(separator: "\r\n").count == 6)
    let none = try await carillon(["history", "--until", "2020-01-01"], in: folder)
    #expect(none.ending == .exited(0) && none.output.isEmpty)
  }

  @Test(arguments: [
    (
      ["history", "--since", "2026-02-30"], "history: --since: invalid date '2026-02-30' (expected "
    ),
    (["stats", "--json", "--csv"], "stats: --json and --csv exclude each other"),
    (["stats", "--since", "today", "--until", "yesterday"], "stats: --until: "),
  ])
  func usageErrors(_ arguments: [String], _ message: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let run = try await carillon(arguments, in: folder)
    #expect(run.ending == .exited(2) && run.error.contains(message))
  }

  @Test func aBoardRecordsAndShowsIt() async throws {
    try await withPseudoTerminal(["tea=1s", "egg=10m"]) { terminal, folder in
      try await terminal.output("the first frame") { $0.contains("tea") }
      try await terminal.output("the end") { $0.contains("finished") }
      terminal.type("5")
      try await terminal.output("the stretch") { $0.contains("0:01 in the last year") }
      terminal.type("q")
      #expect(try await terminal.ending() == .exited(0))
      let records = try await records(in: folder)
      // The timer that still runs continues with the session.
      #expect(records.map(\.timer) == ["tea"] && records[0].session == "main")
    }
  }

  @Test func freshRecordsNothing() async throws {
    try await withPseudoTerminal(["--fresh", "tea=300ms"]) { terminal, folder in
      try await terminal.output("the end") { $0.contains("finished") }
      terminal.type("5")
      try await terminal.output("the reason") { $0.contains("nothing is recorded with --fresh") }
      terminal.type("q")
      #expect(try await terminal.ending() == .exited(0))
      #expect(!FileManager.default.fileExists(atPath: folder.path("state")))
    }
  }

  /// Whatever the moment of a SIGKILL, each finished run of a chain is in the history, once. The runs are longer than
  /// the second that a save of the session can take.
  @Test func noStretchIsLostToAKill() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    var arguments = ["serve", "a=2300ms then a", "b=2700ms then b", "c=3100ms then c"]
    for milliseconds in [3100, 1500, 2600, 900, 2100, 1700, 6000] {
      let child = try ChildProcess(
        [Program.path()] + arguments, environment: Program.environment(in: folder),
        streams: .init(input: "/dev/null", output: "/dev/null", error: "/dev/null"))
      // A process that is not up yet records nothing, and a whole run could pass before the next one.
      #expect(
        try await eventually {
          try await run(
            [Program.path(), "ctl", "list"], environment: Program.environment(in: folder),
            in: folder
          ).ending == .exited(0)
        })
      try await Task.sleep(for: .milliseconds(milliseconds))
      child.send(SIGKILL)
      #expect(try await child.ending() == .killed(by: SIGKILL))
      arguments = ["serve"]
    }
    let records = try await records(in: folder)
    for timer in ["a", "b", "c"] {
      let runs = records.filter { $0.timer == timer }
      #expect(runs.count >= 3)
      for (run, next) in zip(runs, runs.dropFirst()) {
        let gap = try Date(next.start, strategy: .iso8601WithFraction)
          .timeIntervalSince(Date(run.end, strategy: .iso8601WithFraction))
        #expect(abs(gap) < 0.5, "\(timer): \(run.end) to \(next.start)")
      }
    }
  }
}

extension ParseStrategy where Self == Date.ISO8601FormatStyle {
  fileprivate static var iso8601WithFraction: Date.ISO8601FormatStyle {
    Date.ISO8601FormatStyle(includingFractionalSeconds: true)
  }
}
