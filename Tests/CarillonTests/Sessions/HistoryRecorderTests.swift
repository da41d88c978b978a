import Foundation
import Testing

@testable import CarillonRuntime
@testable import TimerBoard

/// The recorder of the history while its files cannot be written.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct HistoryRecorderTests {
  private let state = FileManager.default.temporaryDirectory.appendingPathComponent(
    "carillon-history-\(UUID().uuidString)")
  private var environment: [String: String] { ["XDG_STATE_HOME": state.path] }
  private var folder: String { "\(state.path)/carillon/history" }

  /// Creates a file in place of the folder, so that nothing can be written there.
  private func block() throws {
    try FileManager.default.createDirectory(
      atPath: "\(state.path)/carillon", withIntermediateDirectories: true)
    #expect(FileManager.default.createFile(atPath: folder, contents: nil))
  }

  private func unblock() throws {
    try FileManager.default.removeItem(atPath: folder)
  }

  private func makeRecorder(
    onError: @escaping @MainActor (String) -> Void = { _ in }
  ) throws -> HistoryRecorder {
    let recorder = HistoryRecorder(
      session: .main, options: HistoryOptions(), environment: environment, onError: onError)
    return try #require(recorder)
  }

  @Test(arguments: [
    ("Asia/Tokyo", "Asia/Tokyo"), (":Asia/Tokyo", "Asia/Tokyo"), ("", "UTC"), (":", "UTC"),
    ("/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
    (":/usr/share/zoneinfo/Asia/Tokyo", "Asia/Tokyo"),
  ])
  func theZoneIsThatOfTheEnvironment(_ value: String, _ name: String) {
    #expect(["TZ": value].timeZoneName == name)
  }

  private func line(_ id: UInt64) -> HistoryLine {
    .record(
      StretchRecord(
        id: id, timer: "tea", kind: .once, start: 1_782_916_140_000, end: 1_782_916_320_000,
        ending: .finished, activeTime: 180_000))
  }

  private func ids() throws -> [UInt64] {
    var ids: [UInt64] = []
    _ = try HistoryFolder(environment: environment)?.read { ids.append($0.id) }
    return ids
  }

  /// A failure on the queue is not known on the main queue yet when the program ends.
  @Test func theEndReportsLinesThatWereNotWritten() throws {
    defer { try? FileManager.default.removeItem(at: state) }
    try block()
    let recorder = try makeRecorder()
    recorder.record([line(1)])
    #expect(recorder.finish()?.hasPrefix(folder) == true)
    try unblock()
    #expect(recorder.finish() == nil)
    #expect(try ids() == [1])
  }

  /// A save of the session writes the lines first that could not be written before.
  @Test func aSaveWritesLinesAgain() async throws {
    defer { try? FileManager.default.removeItem(at: state) }
    try block()
    var errors: [String] = []
    var written: [HistoryLine] = []
    let recorder = try makeRecorder { errors.append($0) }
    recorder.onLines = { written += $0 }
    let barrier = recorder.barrier
    for id in 1...3 {
      recorder.record([line(UInt64(id))])
      await Task.detached { barrier() }.value
    }
    try unblock()
    await Task.detached { barrier() }.value
    #expect(try ids() == [1, 2, 3])
    try await until { !written.isEmpty }
    #expect(written.count == 3)
    // The failure is reported once.
    #expect(errors.count == 1)
    #expect(errors.first?.hasPrefix("the history cannot be written: \(folder)") == true)
  }
}
