import TimerKit
import UnixSockets

/// Publishes the timers of this process, so that `carillon attach` can show them live.
///
/// ```swift
/// import TimerKitInspector
///
/// try TimerInspector.start()
/// ```
///
/// It listens on a Unix domain socket, `PID.sock` in the folder `timerkit` of `$XDG_RUNTIME_DIR`; without that variable, in
/// the folder `timerkit-UID` of `$TMPDIR` or `/tmp`. Only processes of the same user can connect. While nobody does, it has
/// no effect on the timers: a fire costs one relaxed load more. It uses one queue and no thread of its own.
///
/// Every timer that has been armed is listed, also if it was made before ``start(name:allowsControl:)``. A timer that was
/// never started, and a ``TimerKit/RateLimiter``, which has no alarm, are listed if they have a
/// ``label(_:_:file:line:)``. You can use every member from any thread.
public enum TimerInspector {
  private static let server = Guarded<InspectorServer?>(nil)
  static let labels = Guarded<LabelTable?>(nil)

  /// Starts to listen. If it has been started already, nothing happens, and the first arguments stay in effect.
  /// - Parameters:
  ///   - name: the name to show for this process; `nil` for that of the program. At most 200 bytes of it are shown.
  ///   - allowsControl: true to let clients pause, resume, fire and reset timers.
  /// - Throws: ``InspectorError`` if the folder is not a folder of the user with mode 0700, or if the socket cannot be
  ///   made.
  public static func start(
    name: String? = nil, allowsControl: Bool = false
  ) throws(InspectorError) {
    let folder = InspectorFolder.path { variable in getenv(variable).map { String(cString: $0) } }
    try start(name: name, allowsControl: allowsControl, in: folder)
  }

  /// - Parameter idleLimit: the time after which a connection without a request ends.
  static func start(
    name: String?, allowsControl: Bool, in folder: String, idleLimit: Duration = .seconds(60)
  ) throws(InspectorError) {
    try server.withLock { (server) throws(InspectorError) in
      guard server == nil else { return }
      let program = CommandLine.arguments.first?.split(separator: "/").last.map(String.init)
      server = try InspectorServer(
        name ?? program ?? "", allowsControl, in: folder, idleLimit: idleLimit)
      labels.withLock { $0 = LabelTable() }
    }
  }

  /// Ends all connections, removes the socket, and forgets all labels.
  public static func stop() {
    let stopped = server.withLock { $0.take() }
    stopped?.stop()
    // Destroyed after the mutex has been unlocked.
    _ = labels.withLock { $0.take() }
  }

  /// Gives timers a name to be shown under, and records the place of the call. A later label replaces an earlier one.
  ///
  /// It has no effect before ``start(name:allowsControl:)``. The timers are referenced weakly. Takes constant time,
  /// amortized, and about 200 bytes for each timer.
  /// - Parameters:
  ///   - text: the name, of which at most 200 bytes are shown.
  ///   - timers: timers of any type of TimerKit. Other objects are ignored.
  ///   - file: the file of the call.
  ///   - line: the line of the call.
  public static func label<Timer: AnyObject & Sendable>(
    _ text: String, _ timers: Timer..., file: String = #fileID, line: Int = #line
  ) {
    guard labels.withLock({ $0 != nil }) else { return }
    let place = cleaned("\(file.split(separator: "/").last ?? ""):\(line)")
    for timer in timers {
      guard let timer = (timer as? any InspectableTimer)?.inspected else { continue }
      let label = TimerLabel(cleaned(text), place)
      _ = labels.withLock { $0?.add(label, to: timer) }
    }
  }
}

/// The reason why the inspector could not start: the path of its folder or socket, and the fault.
public struct InspectorError: Error, Hashable, Sendable, CustomStringConvertible {
  public let description: String

  init(_ description: String) {
    self.description = description
  }
}
