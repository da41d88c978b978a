/// A replay of the lines of the history, the newest file first.
///
/// A line that revokes a stretch or adds a result to it is always written later than the record of the stretch. So
/// each file is read once, after all newer files, and each record is complete when it is delivered. A record that
/// occurs twice is delivered once: a process that was killed between writing a record and saving its session writes the
/// record again. Neither repeated lines nor the order of the lines within a file change which records are delivered.
package struct HistoryReplay {
  /// The maximum size of a line in bytes. The program writes none that is as long.
  package static let lineLimit = 1 << 20

  private var revoked: Set<UInt64> = []
  private var results: [UInt64: String] = [:]
  private var delivered: Set<UInt64> = []
  /// The number of lines that could not be read.
  package private(set) var corruptCount = 0

  package init() {}

  /// Reads the bytes of a file that is older than the files before.
  /// - Parameter body: Called with each record that counts, in the order of the file.
  package mutating func read(_ bytes: [UInt8], _ body: (StretchRecord) -> Void) {
    var records: [StretchRecord] = []
    for line in bytes.split(separator: UInt8(ascii: "\n")) {
      switch line.count > Self.lineLimit ? nil : HistoryLine(bytes, in: line.indices) {
      case .record(let record)?: records.append(record)
      case .revocation(let id)?: revoked.insert(id)
      case .result(let text, let id)?:
        // A stretch has at most one line with a result.
        results[id] = text
      case nil: corruptCount += 1
      }
    }
    for record in records where !revoked.contains(record.id) {
      guard delivered.insert(record.id).inserted else { continue }
      var record = record
      if let result = results[record.id] { record.result = result }
      body(record)
    }
  }
}

/// The records that a command or a view shows.
package struct HistoryFilter: Hashable, Sendable {
  /// The first and the last day, both included; `nil` for no limit.
  package var since: CivilDate?
  package var until: CivilDate?
  /// The names of timers; empty for all.
  package var names: Set<String> = []

  package init() {}

  package func includes(_ day: CivilDate) -> Bool { since ?? day <= day && day <= until ?? day }

  package func includes(_ record: StretchRecord) -> Bool {
    names.isEmpty || names.contains(record.timer)
  }
}
