import Dispatch
import Synchronization
import TimerKit

/// The socket on which the inspector listens, and its connections, on a queue of its own. It waits for no client.
///
/// Ground rules:
/// - The mutex is not locked while a request is answered: releasing a timer, and firing it on a virtual clock, can run any
///   code of the program, such as ``TimerInspector/stop()``.
/// - A socket is closed when its read source has been cancelled; the write source is cancelled before.
final class InspectorServer: Sendable {
  private static let connectionLimit = 16
  private static let lineLimit = 1024
  /// The number of bytes that may wait for a client when a reply is added.
  private static let outputLimit = 64 << 10
  /// The time for which a client counts as attached after a page.
  private static let attachedTime = Duration.seconds(5)

  /// A connection, or the socket that listens.
  private struct Connection {
    let reading: any DispatchSourceRead
    var writing: (any DispatchSourceWrite)?
    var input: ArraySlice<UInt8> = []
    var output: [UInt8] = []
    /// The fires at the time of the last page, and that time.
    var earlierFires = Inspection.fires.counts
    var lastPage: TimerClock.Instant?
  }

  private let greeting: String
  private let allowsControl: Bool
  private let path: String
  private let queue = DispatchQueue(label: "TimerKit.inspector", qos: .utility)
  /// By descriptor: the socket that listens, and its clients. Empty after the end.
  private let connections = Mutex<[Int32: Connection]>([:])

  init(_ name: String, _ allowsControl: Bool, in folder: String) throws(InspectorError) {
    greeting = "timerkit\t1\t\(processNumber)\t\(cleaned(name))\t\(allowsControl ? 1 : 0)"
    self.allowsControl = allowsControl
    path = "\(folder)/\(processNumber).sock"
    let listener = try listen(at: path, in: folder)
    connections.withLock { $0[listener] = connect(listener) { $0.accept(from: listener) } }
  }

  func stop() {
    removeFile(path)
    for socket in connections.withLock({ Array($0.keys) }) { close(socket) }
    Inspection.isAttached.store(false, ordering: .relaxed)
  }

  private func connect(
    _ socket: Int32, _ handler: @escaping @Sendable (InspectorServer) -> Void
  ) -> sending Connection {
    let reading = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
    reading.setEventHandler { [weak self] in self.map(handler) }
    reading.setCancelHandler { closeDescriptor(socket) }
    reading.activate()
    return Connection(reading: reading)
  }

  private func accept(from listener: Int32) {
    guard let socket = acceptClient(listener) else { return }
    connections.withLock { connections in
      if (1...Self.connectionLimit).contains(connections.count) {
        connections[socket] = connect(socket) { $0.read(from: socket) }
      } else {
        closeDescriptor(socket)
      }
    }
  }

  private func close(_ socket: Int32) {
    connections.withLock { connections in
      let connection = connections.removeValue(forKey: socket)
      connection?.writing?.cancel()
      connection?.reading.cancel()
    }
  }

  private func read(from socket: Int32) {
    guard let bytes = receive(from: socket) else { return close(socket) }
    var rest = connections.withLock { $0[socket]?.input ?? [] } + bytes
    while let end = rest.prefix(Self.lineLimit + 1).firstIndex(of: UInt8(ascii: "\n")) {
      guard write(reply(to: rest[..<end], on: socket), to: socket) else { return close(socket) }
      rest = rest[(end + 1)...]
    }
    guard rest.count <= Self.lineLimit else { return close(socket) }
    connections.withLock { [rest] in $0[socket]?.input = rest }
  }

  /// Sends lines and an empty one; without an argument, continues to send what waits.
  /// - Returns: false if the connection must be closed, or is already.
  private func write(_ lines: [String] = [], to socket: Int32) -> Bool {
    connections.withLock { connections in
      guard var connection = connections[socket] else { return false }
      if !lines.isEmpty {
        guard connection.output.count <= Self.outputLimit else { return false }
        connection.output += (lines + ["", ""]).joined(separator: "\n").utf8
      }
      guard let count = TimerKitInspector.write(connection.output, to: socket) else { return false }
      connection.output.removeFirst(count)
      if connection.output.isEmpty {
        connection.writing.take()?.cancel()
      } else if connection.writing == nil {
        let writing = DispatchSource.makeWriteSource(fileDescriptor: socket, queue: queue)
        writing.setEventHandler { [weak self] in
          if self?.write(to: socket) == false { self?.close(socket) }
        }
        writing.activate()
        connection.writing = writing
      }
      connections[socket] = connection
      return true
    }
  }

  // MARK: - Requests

  private func reply(to line: ArraySlice<UInt8>, on socket: Int32) -> [String] {
    guard let text = String(validating: line, as: UTF8.self) else { return ["error\tnot UTF-8"] }
    let fields = text.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    switch (fields[0], fields.count) {
    case ("hello", 1): return [greeting]
    case ("page", 6):
      return Page(fields)?.lines(late99: beginPage(on: socket)) ?? ["error\tinvalid page"]
    case ("control", 3):
      guard let number = UInt64(fields[1]), let action = InspectorAction(rawValue: fields[2])
      else { return ["error\tinvalid control"] }
      return [allowsControl ? control(number, action) : "refused\tcontrols are not allowed"]
    default: return ["error\tunknown request"]
    }
  }

  /// Counts from now on, if it did not before.
  /// - Returns: the 99th percentile of the lateness since the previous page of the connection.
  private func beginPage(on socket: Int32) -> Int64? {
    let fires = Inspection.fires.counts
    let earlier = connections.withLock { connections in
      connections[socket]?.lastPage = TimerClock.suspending.now
      defer { connections[socket]?.earlierFires = fires }
      return connections[socket]?.earlierFires ?? fires
    }
    if !Inspection.isAttached.exchange(true, ordering: .relaxed) { endCountingLater() }
    return LatenessHistogram.percentile99(of: fires, since: earlier)
  }

  /// Ends the counting when nobody has been attached for a while, with a precision of a second.
  private func endCountingLater() {
    queue.asyncAfter(deadline: .now() + .seconds(1)) { [self] in
      let since = TimerClock.suspending.now - Self.attachedTime
      if connections.withLock({ $0.values.contains { $0.lastPage.map { $0 > since } ?? false } }) {
        endCountingLater()
      } else {
        Inspection.isAttached.store(false, ordering: .relaxed)
      }
    }
  }

  private func control(_ number: UInt64, _ action: InspectorAction) -> String {
    guard let timer = AllTimers().first(number) else { return "refused\tno such timer" }
    return switch timer.perform(action) {
    case .refused(let refusal): "refused\t\(cleaned(refusal.description))"
    case nil: "refused\ta \(timer.kindName) has no \(action)"
    default: "ok"
    }
  }
}
