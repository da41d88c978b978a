import Dispatch
import Synchronization
import TimerKit
import UnixSockets

/// The socket on which the inspector listens, and its connections, on a queue of its own. It waits for no client: a reply
/// that the socket does not take at once ends the connection. A client asks again when it has read its reply. Clients
/// take turns: of those that have sent several requests, each gets one reply, then the next one of each. A connection
/// without a request for a minute ends.
///
/// The mutex is not locked while a request is answered: releasing a timer, and firing it on a virtual clock, can run any
/// code of the program, such as ``TimerInspector/stop()``.
final class InspectorServer: Sendable {
  private static let connectionLimit = 16
  private static let lineLimit = 1024
  /// The bytes of a reply that a socket takes: 200 timers with the longest texts.
  private static let replyLimit: Int32 = 256 << 10
  /// The time for which a client counts as attached after a page.
  private static let attachedTime = Duration.seconds(5)
  /// The time after which a connection without a request ends.
  private let idleLimit: Duration

  /// A connection, or the socket that listens.
  private struct Connection {
    let reading: any DispatchSourceRead
    /// False for the socket that listens.
    let isClient: Bool
    /// The beginning of a line.
    var input: [UInt8] = []
    var lastRequest = TimerClock.suspending.now
    var lastPage: TimerClock.Instant?
    var scan: Scan?
  }

  private let greeting: String
  private let allowsControl: Bool
  private let path: String
  private let queue = DispatchQueue(label: "TimerKit.inspector", qos: .utility)
  /// By descriptor: the socket that listens, and its clients. Empty after the end.
  private let connections = Guarded<[Int32: Connection]>([:])
  /// True while a block ends idle connections at a later time.
  private let endsIdle = Atomic(false)

  init(
    _ name: String, _ allowsControl: Bool, in folder: String, idleLimit: Duration
  ) throws(InspectorError) {
    self.idleLimit = idleLimit
    greeting = "timerkit\t1\t\(getpid())\t\(cleaned(name))\t\(allowsControl ? 1 : 0)"
    self.allowsControl = allowsControl
    path = "\(folder)/\(getpid()).sock"
    mkdir(folder, 0o700)
    if let fault = privacyFault(ofFolder: folder) { throw InspectorError("\(folder): \(fault)") }
    let other = connectToSocket(at: path)
    guard other < 0 else {
      close(other)
      // Containers can share the folder and not the numbers of their processes.
      throw InspectorError("\(path): in use by a process of another container")
    }
    unlink(path)
    let listener = listenOnSocket(at: path)
    guard listener >= 0, makeNonblocking(listener) else {
      throw InspectorError("\(path): \(String(cString: strerror(errno)))")
    }
    connections.withLock {
      $0[listener] = connect(listener, isClient: false) { $0.accept(from: listener) }
    }
  }

  func stop() {
    unlink(path)
    for socket in connections.withLock({ Array($0.keys) }) { end(socket) }
    Inspection.isAttached.store(false, ordering: .relaxed)
  }

  private func connect(
    _ socket: Int32, isClient: Bool = true,
    _ handler: @escaping @Sendable (InspectorServer) -> Void
  ) -> sending Connection {
    let reading = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
    reading.setEventHandler { [weak self] in self.map(handler) }
    reading.setCancelHandler { close(socket) }
    reading.activate()
    return Connection(reading: reading, isClient: isClient)
  }

  private func accept(from listener: Int32) {
    let socket = acceptConnection(listener)
    guard socket >= 0 else {
      // Without a free descriptor, the client keeps waiting, and the listener can be read all the time.
      if errno != EAGAIN { poll(nil, 0, 50) }
      return
    }
    var size = Self.replyLimit
    setsockopt(socket, SOL_SOCKET, SO_SNDBUF, &size, socklen_t(MemoryLayout<Int32>.size))
    connections.withLock { connections in
      guard !connections.isEmpty, peerUser(of: socket) == geteuid() else {
        close(socket)
        return
      }
      guard connections.count <= Self.connectionLimit else {
        var refusal = Array("error\ttoo many clients (at most \(Self.connectionLimit))\n\n".utf8)[
          ...]
        sendWithoutSignal(&refusal, to: socket)
        close(socket)
        return
      }
      connections[socket] = connect(socket) { $0.read(from: socket) }
    }
    if !endsIdle.exchange(true, ordering: .relaxed) { endIdleLater(after: idleLimit) }
  }

  private func end(_ socket: Int32) {
    connections.withLock { $0.removeValue(forKey: socket)?.reading.cancel() }
  }

  /// Ends the connections without a request for a minute, as long as there are any.
  private func endIdleLater(after time: Duration) {
    queue.asyncAfter(deadline: .now() + time.dispatchInterval) { [weak self] in
      guard let self else { return }
      let now = TimerClock.suspending.now
      let next = connections.withLock { connections -> Duration? in
        var next: Duration?
        for (socket, connection) in connections where connection.isClient {
          let left = idleLimit - connection.lastRequest.duration(to: now)
          if left > .zero {
            next = min(next ?? left, left)
          } else {
            connections.removeValue(forKey: socket)?.reading.cancel()
          }
        }
        return next
      }
      if let next { endIdleLater(after: next) } else { endsIdle.store(false, ordering: .relaxed) }
    }
  }

  /// Reads at most one request, and replies to it. The source reports those that follow after other clients had their
  /// turn.
  private func read(from socket: Int32) {
    var block = [UInt8](repeating: 0, count: Self.lineLimit + 1)
    var count = recv(socket, &block, block.count, Int32(MSG_PEEK))
    let end = block.prefix(max(0, count)).firstIndex(of: UInt8(ascii: "\n"))
    if count > 0 { count = recv(socket, &block, end.map { $0 + 1 } ?? count, 0) }
    guard count > 0 else {
      if count == 0 || errno != EAGAIN { self.end(socket) }
      return
    }
    let line = connections.withLock { $0[socket]?.input ?? [] } + block[..<count]
    guard line.count <= Self.lineLimit + (end == nil ? 0 : 1) else { return self.end(socket) }
    guard end != nil else {
      connections.withLock { $0[socket]?.input = line }
      return
    }
    connections.withLock { connections in
      connections[socket]?.input = []
      connections[socket]?.lastRequest = TimerClock.suspending.now
    }
    let lines = reply(to: line.dropLast(), on: socket) + ["", ""]
    var output = Array(lines.joined(separator: "\n").utf8)[...]
    let isSent = connections.withLock { connections in
      connections[socket] != nil && sendWithoutSignal(&output, to: socket) == 0
    }
    if !isSent { self.end(socket) }
  }

  // MARK: - Requests

  private func reply(to line: ArraySlice<UInt8>, on socket: Int32) -> [String] {
    guard let text = String(validating: line, as: UTF8.self) else { return ["error\tnot UTF-8"] }
    let fields = text.utf8.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false)
      .map { String(Substring($0)) }
    switch (fields[0], fields.count) {
    case ("hello", 1): return [greeting]
    case ("page", 6):
      guard let page = Page(fields) else { return ["error\tinvalid page"] }
      let earlier = connections.withLock { connections in
        connections[socket]?.lastPage = TimerClock.suspending.now
        return connections[socket]?.scan
      }
      // Fires are counted from now on.
      if !Inspection.isAttached.exchange(true, ordering: .relaxed) { endCountingLater() }
      let scan = earlier.flatMap { $0.serves(page) ? $0 : nil } ?? Scan(page)
      connections.withLock { $0[socket]?.scan = scan }
      return page.lines(of: scan)
    case ("control", 3):
      guard let number = UInt64(fields[1]), let action = InspectorAction(rawValue: fields[2])
      else { return ["error\tinvalid control"] }
      return [allowsControl ? control(number, action) : "refused\tcontrols are not allowed"]
    default: return ["error\tunknown request"]
    }
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
    case .unchanged: "refused\tthere is nothing to \(action)"
    case nil: "refused\ta \(timer.kindName) has no \(action)"
    default: "ok"
    }
  }
}

extension Duration {
  /// The time in milliseconds, rounded up.
  fileprivate var dispatchInterval: DispatchTimeInterval {
    .milliseconds(Int((self / .milliseconds(1)).rounded(.up)))
  }
}
