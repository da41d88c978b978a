import Platform
import TimerBoard

/// The folder of the history: a file `YYYY-MM.jsonl` for each month in which lines were written, in UTC.
///
/// Any number of processes append to it. A line is written by one call with `O_APPEND`, so that the lines of several
/// processes do not mix. If a process was killed in the middle of a line, the next line begins after a line end of its
/// own, so that only the torn line is lost. A write is not followed by `fsync`, which takes milliseconds: nothing that
/// was written is lost when the process ends, but a power failure can lose it. ``synchronize(_:)`` is called before
/// each save of the session and at the end: when a saved session no longer has a stretch, the stretch's line is on the
/// disk, unless writing fails.
struct HistoryFolder: Sendable {
  /// The lines and files that were left out because they could not be read.
  struct Omissions: Hashable {
    var lineCount = 0
    var files: [FileError] = []

    /// `nil` if there is nothing.
    var text: String? {
      let lines = lineCount > 0 ? ["\(counted(lineCount, "line")) of the history"] : []
      let parts = lines + files.map(\.description)
      return parts.isEmpty ? nil : "left out: \(parts.joined(separator: "; "))"
    }
  }

  let path: String
  private let files = FileSystem()

  /// - Returns: `nil` if the environment names no folder for the state.
  init?(environment: [String: String]) {
    guard let state = SessionName.stateFolder(environment: environment) else { return nil }
    path = "\(state)/history"
  }

  /// The months that have a file, the newest first: `2026-11`.
  var months: [String] {
    get throws(FileError) {
      guard let folder = opendir(path) else {
        if errno == ENOENT || errno == ENOTDIR { return [] }
        throw FileError(path)
      }
      defer { closedir(folder) }
      var months: [String] = []
      while let entry = readdir(folder) {
        let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
          String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        guard name.hasSuffix(".jsonl"), CivilDate("\(name.dropLast(6))-01") != nil else { continue }
        months.append(String(name.dropLast(6)))
      }
      return months.sorted(by: >)
    }
  }

  /// Reads the records, except duplicates and revoked ones; each file once, the newest first.
  /// - Parameters:
  ///   - month: The oldest month to read. Records are written when they end, so a later record is in no older file.
  ///   - body: Called with each record, in the order of its file.
  func read(
    since month: String? = nil, _ body: (StretchRecord) -> Void
  ) throws(FileError) -> Omissions {
    var replay = HistoryReplay()
    var omissions = Omissions()
    for name in try months where name >= month ?? "" {
      do throws(FileError) {
        // Other users must not be able to write it, and a pipe of that name must not block the program.
        let bytes = try files.contents(of: "\(path)/\(name).jsonl", forbiddenMode: 0o022)
        replay.read(bytes ?? [], body)
      } catch {
        omissions.files.append(error)
      }
    }
    omissions.lineCount = replay.corruptCount
    return omissions
  }

  /// Removes the files of months that ended before a day.
  func removeMonths(before day: CivilDate) throws(FileError) {
    for month in try months where month < day.monthText {
      let file = "\(path)/\(month).jsonl"
      guard unlink(file) == 0 || errno == ENOENT else { throw FileError(file) }
    }
  }

  /// Appends lines to the file of a month.
  func append(_ lines: [UInt8], month: String) throws(FileError) {
    let file = "\(path)/\(month).jsonl"
    let descriptor = try open(file)
    defer { Platform.close(descriptor) }
    // The lock only protects the check of the last line. The wait is short, because a process that is suspended here
    // must not stop the others.
    var attempts = 0
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, attempts < 100,
      errno == EWOULDBLOCK || errno == EINTR
    {
      usleep(1000)
      attempts += 1
    }
    var bytes = lines
    var last = UInt8(ascii: "\n")
    let size = lseek(descriptor, 0, SEEK_END)
    if size > 0, pread(descriptor, &last, 1, size - 1) == 1, last != UInt8(ascii: "\n") {
      bytes.insert(UInt8(ascii: "\n"), at: 0)
    }
    try files.write(bytes, to: descriptor, of: file)
  }

  /// Writes the file of a month to permanent storage.
  func synchronize(_ month: String) throws(FileError) {
    let file = "\(path)/\(month).jsonl"
    let descriptor = try open(file)
    defer { Platform.close(descriptor) }
    try files.synchronize(descriptor, of: file)
  }

  private func open(_ file: String) throws(FileError) -> Int32 {
    // An error shows when the file is opened.
    try? files.makeFolder(path)
    return try files.openRegular(file, O_APPEND)
  }
}
