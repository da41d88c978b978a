import Foundation
import Platform
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// The files of the history.
struct HistoryFileTests {
  private func withFolder(_ test: (HistoryFolder) throws -> Void) throws {
    let state = FileManager.default.temporaryDirectory.appendingPathComponent(
      "carillon-history-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: state) }
    try test(try #require(HistoryFolder(environment: ["XDG_STATE_HOME": state.path])))
  }

  private func record(_ id: UInt64, _ timer: String = "tea") -> StretchRecord {
    StretchRecord(
      id: id, timer: timer, kind: .once, start: 1_782_916_140_000, end: 1_782_916_320_000,
      ending: .finished, activeTime: 180_000)
  }

  private func line(_ id: UInt64) -> [UInt8] { Array(HistoryLine.record(record(id)).json.utf8) }

  private func ids(_ folder: HistoryFolder) throws -> ([UInt64], omissions: HistoryFolder.Omissions)
  {
    var ids: [UInt64] = []
    let omissions = try folder.read { ids.append($0.id) }
    return (ids, omissions)
  }

  @Test func aRecordIsReadAsItWasWritten() throws {
    var record = record(0xFEDC, "a \"name\" with \\, \u{1b}[31m, 每 and\nlines")
    (record.phase, record.round, record.session, record.zone) = ("rest", 3, "main", "Europe/Berlin")
    (record.planned, record.interruptions, record.fires, record.missed) = (300_000, 2, 4, 5)
    record.pauses = [.init(start: 1, length: 2), .init(start: 30, length: 4)]
    (record.result, record.note, record.command) = ("exit 1", "two bags", "echo 'x' | sed s/a/b/")
    let result = HistoryLine.result("signal 9", of: 1)
    try withFolder { folder in
      for line in [.record(record), result, .revocation(of: 7)] as [HistoryLine] {
        #expect(!line.json.contains("\n") && !line.json.contains("\u{1b}"))
        try folder.append(Array(line.json.utf8) + [10], month: "2026-07")
      }
      var read: [StretchRecord] = []
      #expect(try folder.read { read.append($0) }.text == nil)
      #expect(read == [record])
    }
  }

  /// A process that was killed in the middle of a line damages only that line.
  @Test func aTornLineIsSkipped() throws {
    try withFolder { folder in
      for count in [0, 1, 17, line(1).count - 1] {
        try folder.append(Array(line(1).prefix(count)), month: "2026-07")
        try folder.append(line(2) + [10], month: "2026-07")
      }
      let (ids, omissions) = try ids(folder)
      #expect(ids == [2])
      #expect(omissions.text == "left out: 3 lines of the history")
    }
  }

  @Test func processesAppendToOneFile() async throws {
    let state = FileManager.default.temporaryDirectory.appendingPathComponent(
      "carillon-history-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: state) }
    let folder = try #require(HistoryFolder(environment: ["XDG_STATE_HOME": state.path]))
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<8 {
        group.addTask {
          for number in 0..<50 {
            try? folder.append(line(UInt64(writer * 1000 + number)) + [10], month: "2026-07")
          }
        }
      }
    }
    let (ids, omissions) = try ids(folder)
    #expect(Set(ids).count == 400 && omissions.text == nil)
  }

  @Test func newerMonthsAreReadFirst() throws {
    try withFolder { folder in
      #expect(try folder.months.isEmpty)
      try folder.append(line(1) + [10] + line(2) + [10], month: "2025-12")
      try folder.append(Array(HistoryLine.revocation(of: 1).json.utf8) + [10], month: "2026-01")
      try folder.append(line(3) + [10], month: "2025-11")
      for name in ["2026-13.jsonl", "notes.txt", "2026-01.jsonl.old"] {
        #expect(FileManager.default.createFile(atPath: "\(folder.path)/\(name)", contents: nil))
      }
      #expect(try folder.months == ["2026-01", "2025-12", "2025-11"])
      #expect(try ids(folder).0 == [2, 3])
      var since: [UInt64] = []
      _ = try folder.read(since: "2025-12") { since.append($0.id) }
      #expect(since == [2])
      try folder.removeMonths(before: try #require(CivilDate("2025-12-31")))
      #expect(try folder.months == ["2026-01", "2025-12"])
    }
  }

  @Test func otherFilesAreRefused() throws {
    try withFolder { folder in
      try folder.append(line(1) + [10], month: "2026-07")
      let path = "\(folder.path)/2026-07.jsonl"
      var facts = stat()
      #expect(stat(path, &facts) == 0 && facts.st_mode & 0o777 == 0o600)
      chmod(path, 0o622)
      #expect(
        try folder.read { _ in }.text
          == "left out: \(path): writable by others (expected: chmod go-w '\(path)')")
      #expect(unlink(path) == 0 && mkfifo(path, 0o600) == 0)
      #expect(try folder.read { _ in }.text == "left out: \(path): not a regular file")
      #expect(throws: FileError.self) { try folder.append(line(1), month: "2026-07") }
      #expect(unlink(path) == 0 && symlink("/dev/null", path) == 0)
      #expect(throws: FileError.self) { try folder.append(line(1), month: "2026-07") }
    }
  }

  /// A month whose file is too large is left out; the others are read.
  @Test func aMonthThatCannotBeReadHidesNoOther() throws {
    try withFolder { folder in
      for (number, month) in ["2026-05", "2026-06", "2026-07"].enumerated() {
        try folder.append(line(UInt64(number)) + [10], month: month)
      }
      let path = "\(folder.path)/2026-06.jsonl"
      try #require(truncate(path, 1 << 30) == 0)
      let (ids, omissions) = try ids(folder)
      #expect(ids == [2, 0])
      #expect(omissions.text == "left out: \(path): File too large")
    }
  }

  /// The wait for the lock is bounded, and there is none without another process.
  @Test func theLockIsTakenOnce() throws {
    try withFolder { folder in
      try folder.append(line(1) + [10], month: "2026-07")
      let descriptor = Platform.open("\(folder.path)/2026-07.jsonl", O_RDWR)
      try #require(descriptor >= 0 && flock(descriptor, LOCK_EX) == 0)
      try folder.append(line(2) + [10], month: "2026-07")
      Platform.close(descriptor)
      #expect(try ids(folder).0 == [1, 2])
    }
  }

  @Test func fieldsOfCSVAreQuoted() {
    var record = record(1, "a,\"b\"")
    record.note = "plain"
    let lines = HistoryText(uses24Hours: true).csv([record]).split(separator: "\r\n")
    #expect(lines.count == 2)
    #expect(
      lines[1] == "0000000000000001,\"a,\"\"b\"\"\",once,,,,2026-07-01T14:29:00.000Z,"
        + "2026-07-01T14:32:00.000Z,,finished,,180000,0,0,0,,plain,")
  }

  @Test func theTextListsDays() {
    var days = LocalCalendar { _ in 7200 }
    let text = HistoryText(uses24Hours: true).list([record(1), record(2, "eggs")], &days)
    #expect(
      text == """
        Wed 2026-07-01
          16:29:00  tea       3:00  finished
          16:29:00  eggs      3:00  finished

        """)
  }

  @Test func theConfigurationIsRead() throws {
    let text = "[history]\nenabled = false\nkeep-days = 400\nnotes = true\ncommands = true\n"
    let history = try Configuration(Array(text.utf8), file: "f").history
    #expect(
      history
        == HistoryOptions(isEnabled: false, days: 400, recordsNotes: true, recordsCommands: true))
    #expect(Configuration().history == HistoryOptions())
    #expect(throws: ConfigurationErrors.self) {
      try Configuration(Array("[history]\nkeep-days = 0\n".utf8), file: "f")
    }
  }

  @Test(arguments: ["2026-13-01", "2026-1-1", "", "tomorrow"])
  func invalidDatesAreUsageErrors(date: String) {
    #expect(throws: UsageError.self) {
      let command = try #require(
        try Program.command(of: ["stats", "--since", date]) as? StatsCommand)
      return try command.arguments.filter(of: "stats", today: ClockReading.now().day)
    }
  }
}
