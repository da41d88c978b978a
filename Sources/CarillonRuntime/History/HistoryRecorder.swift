import Dispatch
import Platform
import TimerBoard

/// A recorder that appends the lines of the history on its own queue, in order, so that no fire and no frame waits for
/// the disk.
@MainActor
final class HistoryRecorder {
  /// The maximum number of lines that are kept for another attempt after an error.
  private static let pendingLimit = 10_000

  private let folder: HistoryFolder
  private let session: SessionName?
  private let options: HistoryOptions
  private let environment: [String: String]
  private let onError: @MainActor (String) -> Void
  private let queue = DispatchQueue(label: "carillon.history", qos: .utility)
  /// The lines that could not be written.
  private var pending: [HistoryLine] = []
  private var hasFailed = false
  /// Called with lines after they were written.
  var onLines: (@MainActor ([HistoryLine]) -> Void)?

  /// - Parameter onError: Called once when writing begins to fail, on the main queue.
  /// - Returns: `nil` if the environment names no folder for the history.
  init?(
    session: SessionName?, options: HistoryOptions, environment: [String: String],
    onError: @escaping @MainActor (String) -> Void
  ) {
    guard let folder = HistoryFolder(environment: environment) else { return nil }
    self.folder = folder
    self.session = session
    self.options = options
    self.environment = environment
    self.onError = onError
    if let days = options.days {
      let first = ClockReading.now().day.advanced(by: -days)
      queue.async { try? folder.removeMonths(before: first) }
    }
  }

  /// Appends lines.
  /// - Parameter done: Called on the main queue after these and all earlier lines were written.
  func record(_ lines: [HistoryLine], then done: (@MainActor () -> Void)? = nil) {
    let lines = pending + lines.map { prepared($0) }
    pending = []
    guard !lines.isEmpty || done != nil else { return }
    queue.async { [folder, environment] in
      let error = Self.append(lines, to: folder, environment: environment)
      DispatchQueue.main.async { [weak self] in
        MainActor.assumeIsolated {
          self?.ended(lines, error)
          done?()
        }
      }
    }
  }

  /// A closure that waits until all lines are on the disk. It can be called on any queue but the main one.
  var barrier: @Sendable () -> Void {
    { [queue, folder] in
      queue.sync { Self.synchronize(folder) }
    }
  }

  /// Writes all lines and waits until they are on the disk.
  /// - Returns: The error; `nil` on success.
  func finish() -> String? {
    let lines = pending
    pending = []
    return queue.sync { [folder, environment] in
      let error = Self.append(lines, to: folder, environment: environment)
      Self.synchronize(folder)
      return error
    }
  }

  /// Returns a line with the session, and without the texts that are not to be recorded.
  private func prepared(_ line: HistoryLine) -> HistoryLine {
    guard case .record(var record) = line else { return line }
    record.session = session?.description
    if !options.recordsNotes { record.note = nil }
    if !options.recordsCommands { record.command = nil }
    return .record(record)
  }

  private func ended(_ lines: [HistoryLine], _ error: String?) {
    guard let error else {
      hasFailed = false
      if !lines.isEmpty { onLines?(lines) }
      return
    }
    pending = (lines + pending).suffix(Self.pendingLimit)
    if !hasFailed { onError("the history cannot be written: \(error)") }
    hasFailed = true
  }

  private nonisolated static func append(
    _ lines: [HistoryLine], to folder: HistoryFolder, environment: [String: String]
  ) -> String? {
    guard !lines.isEmpty else { return nil }
    let zone = TimeZoneName.current(environment: environment)
    var bytes: [UInt8] = []
    for line in lines {
      var line = line
      if case .record(var record) = line {
        record.zone = zone
        line = .record(record)
      }
      bytes += Array(line.json.utf8)
      bytes.append(UInt8(ascii: "\n"))
    }
    do throws(FileError) {
      try folder.append(bytes, month: currentMonth)
      return nil
    } catch {
      return error.description
    }
  }

  private nonisolated static func synchronize(_ folder: HistoryFolder) {
    // The month may have changed since the last line, whose file the system writes within half a minute.
    let month = currentMonth
    guard access("\(folder.path)/\(month).jsonl", F_OK) == 0 else { return }
    try? folder.synchronize(month)
  }

  private nonisolated static var currentMonth: String {
    let milliseconds = ClockReading.now().wall.milliseconds
    return CivilDate(day: Int(milliseconds / 86_400_000)).monthText
  }
}

extension ClockReading {
  /// The local date.
  var day: CivilDate { CivilDate(day: LocalTime(self).day) }
}

/// The name of the time zone.
enum TimeZoneName {
  /// Returns the name of the current zone, such as `Europe/Berlin`, or the offset if the zone has no name.
  static func current(environment: [String: String]) -> String {
    if var name = environment["TZ"], !name.isEmpty {
      if name.hasPrefix(":") { name.removeFirst() }
      if !name.hasPrefix("/") { return name }
    }
    var target = ""
    if FileCalls.system.readLink("/etc/localtime", &target) == 0,
      let folder = target.firstRange(of: "zoneinfo/")
    {
      return String(target[folder.upperBound...])
    }
    let minutes = ClockReading.now().secondsFromUTC / 60
    let (hour, minute) = (abs(minutes) / 60, abs(minutes) % 60)
    return "\(minutes < 0 ? "-" : "+")\(twoDigits(hour)):\(twoDigits(minute))"
  }
}

extension LocalDays {
  /// The days of the process's time zone.
  static var current: LocalDays {
    tzset()
    return LocalDays { second in
      var seconds = time_t(second)
      var local = tm()
      localtime_r(&seconds, &local)
      return local.tm_gmtoff
    }
  }
}
