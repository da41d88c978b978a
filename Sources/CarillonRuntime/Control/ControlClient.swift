import Platform
import TimerBoard
import TimerKit

/// A connection to the owner of a session. Its calls wait for the owner at most a few seconds; only
/// ``nextLine(hasTimeLimit:)`` can wait without a limit.
final class ControlClient {
  private let name: SessionName
  private let socket: Int32
  /// The maximum time for which the owner takes no part of a request or sends no part of a response, in seconds.
  private let timeout: Int
  private var input: [UInt8] = []

  /// - Returns: `nil` if nobody listens at the path.
  /// - Throws: An error if another user owns the folder of the socket, or listens on it.
  private init?(_ store: SessionStore, at path: String, timeout: Int) throws(ProgramFailure) {
    let socket = connectToSocket(at: path)
    guard socket >= 0 else { return nil }
    do throws(FileError) {
      try FileSystem().checkPrivateFolder(FileSystem.folder(of: path))
      guard peerUser(of: socket) == geteuid() else {
        throw FileError(path, "socket of another user")
      }
    } catch {
      Platform.close(socket)
      throw ProgramFailure("\(error)")
    }
    name = store.name
    self.socket = socket
    self.timeout = timeout
    for option in [SO_RCVTIMEO, SO_SNDTIMEO] {
      setTimeout(option, of: socket, milliseconds: timeout * 1000)
    }
  }

  /// Connects to the owner of a session: at the socket that its lock names, or else at one where an owner of the session
  /// answers, as an owner whose lock has been removed.
  /// - Returns: `nil` if the session has no owner that listens.
  /// - Throws: An error if another user owns the folder of the socket, or listens on it.
  static func connect(
    to store: SessionStore, timeout: Int = 5
  ) throws(ProgramFailure) -> ControlClient? {
    let recorded = store.holder?.socket
    if let recorded,
      let client = try ControlClient(store, at: recorded, timeout: timeout)
    {
      return client
    }
    for path in store.socketPaths where path != recorded {
      if let client = try ControlClient(store, at: path, timeout: timeout),
        try client.owner(of: store) != nil
      {
        return client
      }
    }
    return nil
  }

  /// Returns the owner that answers at a socket of a session whose lock no process has.
  static func ownerWithoutLock(of store: SessionStore) -> SessionHolder? {
    for path in store.socketPaths {
      guard let client = try? ControlClient(store, at: path, timeout: 5) else { continue }
      do throws(ProgramFailure) {
        if let owner = try client.owner(of: store) { return SessionHolder(process: owner.process) }
      } catch {
        // It may be suspended.
        return SessionHolder()
      }
    }
    return nil
  }

  /// Returns the owner that has been connected to; `nil` if it has ended, or owns the session of that name in another
  /// folder.
  private func owner(of store: SessionStore) throws(ProgramFailure) -> SessionOwner? {
    guard let owner = try response(to: ControlRequest(.owner))?.owner else { return nil }
    // An older version names no file.
    guard let file = owner.file, file != store.path else { return owner }
    let folder = FileIdentity(at: store.folder)
    return folder != nil && folder == FileIdentity(at: FileSystem.folder(of: file)) ? owner : nil
  }

  /// Connects to the owner of a session. Waits while a process has the lock but does not listen yet.
  /// - Parameters:
  ///   - limit: The maximum wait for an owner.
  ///   - lockedLimit: The maximum wait while a process has the lock, if it is longer.
  /// - Returns: `nil` if the session has no owner that listens.
  static func connected(
    to store: SessionStore, waiting limit: Duration = .zero,
    whileLocked lockedLimit: Duration = .seconds(2)
  ) throws(ProgramFailure) -> ControlClient? {
    let start = TimerClock.suspending.now
    while true {
      if let client = try connect(to: store) { return client }
      let waited = start.duration(to: TimerClock.suspending.now)
      guard waited < limit || waited < lockedLimit && store.isLocked else { return nil }
      usleep(2000)
    }
  }

  /// Returns a connection to the owner of a session; `nil` if there is none and none is required.
  static func ofOwner(of store: SessionStore, isRequired: Bool) throws -> ControlClient? {
    if let client = try connected(to: store) { return client }
    guard !isRequired, !store.isLocked else { throw ProgramFailure.noOwner(of: store) }
    return nil
  }

  deinit { Platform.close(socket) }

  /// Sends a request and waits for the response. A refusal is an error.
  func success(of service: ControlRequest.Service) throws(ProgramFailure) -> ControlResponse {
    guard let response = try response(to: ControlRequest(service)) else {
      throw ProgramFailure("the owner of session '\(name)' ended")
    }
    guard response.isOK else { throw ProgramFailure(response.error ?? "refused") }
    return response
  }

  /// Sends a request and waits for the response.
  /// - Returns: `nil` if the owner has closed the connection.
  func response(to request: ControlRequest) throws(ProgramFailure) -> ControlResponse? {
    let line = request.jsonLine
    guard line.count <= ControlRequest.sizeLimit else {
      throw ProgramFailure(
        "request is too long (expected at most \(ControlRequest.sizeLimit) bytes)",
        exitStatus: ExitStatus.usageError)
    }
    guard try send(line), let answer = try nextLine() else { return nil }
    if let response = try? ControlResponse(json: answer) { return response }
    throw ProgramFailure("the owner of session '\(name)' sent an invalid response")
  }

  /// Returns the next line without its end; `nil` if the owner has closed the connection.
  /// - Parameter hasTimeLimit: False to wait without a limit, in later calls as well.
  func nextLine(hasTimeLimit: Bool = true) throws(ProgramFailure) -> [UInt8]? {
    if !hasTimeLimit { setTimeout(SO_RCVTIMEO, of: socket, milliseconds: 0) }
    var block = [UInt8](repeating: 0, count: 1 << 16)
    var searched = 0
    while true {
      if let end = input[searched...].firstIndex(of: UInt8(ascii: "\n")) {
        let line = Array(input[..<end])
        input.removeSubrange(...end)
        return line
      }
      searched = input.count
      let count = Platform.read(socket, &block, block.count)
      if count == 0 { return nil }
      if count > 0 {
        input += block[..<count]
      } else if errno == EAGAIN {
        throw noResponse()
      } else if errno != EINTR {
        return nil
      }
    }
  }

  /// - Returns: False if the owner has closed the connection.
  private func send(_ line: [UInt8]) throws(ProgramFailure) -> Bool {
    var rest = line[...]
    let number = sendWithoutSignal(&rest, to: socket)
    guard number != EAGAIN else { throw noResponse() }
    return number == 0
  }

  private func noResponse() -> ProgramFailure {
    ProgramFailure(
      "the owner of session '\(name)' did not respond within \(timeout) s;"
        + " it may be suspended (expected fg in its terminal)")
  }
}

extension ControlRequest {
  /// Sends the request to the owner of a session, and prints its response.
  /// - Parameters:
  ///   - startsOwner: Whether `add` starts a background process if the session has no owner.
  ///   - configuration: The path of the configuration of that process; `nil` for the default one.
  func send(
    to session: SessionName, startsOwner: Bool = true, configuration: String? = nil
  ) throws {
    let client = try client(of: session, startsOwner: startsOwner, configuration: configuration)
    guard let response = try client.response(to: self) else {
      throw ProgramFailure("ctl: the owner of session '\(session)' ended")
    }
    let text = (response.text ?? "").printable(keepingLines: true)
    guard response.isOK else {
      let lines = (response.error ?? "refused").split(separator: "\n").map { "ctl: \($0)" }
      throw ProgramFailure(lines.asDiagnostics)
    }
    if !text.isEmpty { try StandardStreams.write(text + "\n") }
    if let warning = response.warning { Program.warn("ctl: \(warning.printable())") }
    // The owner closes the connection when it has saved the session, so that another process can open it then.
    if command == ControlRequest.Service.quit.rawValue { _ = try? client.nextLine() }
  }

  /// Returns a connection to the owner, which `add` starts if there is none.
  private func client(
    of session: SessionName, startsOwner: Bool, configuration: String?
  ) throws -> ControlClient {
    let store = try SessionStore(session, for: "ctl")
    let starts = command == ControlVerb.add.rawValue && startsOwner
    if let client = try ControlClient.ofOwner(of: store, isRequired: !starts) { return client }
    let paths = store.socketPaths
    guard paths.contains(where: { $0.utf8.count <= socketPathLimit }) else {
      throw ProgramFailure(
        "ctl: \(paths[0]): path too long for a socket (expected at most \(socketPathLimit) bytes)")
    }
    // The background process has no terminal on which to report an error in the file.
    _ = try Configuration.read(configuration)
    return try ProgramFailure.naming("ctl") {
      try BackgroundProcess(of: session, configuration: configuration).client(of: store)
    }
  }
}
