import Dispatch
import Platform
import TimerBoard
import TimerKit

/// The control of a session from other processes, by its owner. It runs on the main queue.
@MainActor
final class SessionControl {
  private let owner: SessionOwner
  private let ownership: SessionOwnership
  private unowned let live: BoardOwner
  private lazy var server = ControlServer(for: self)
  /// The watch of the folders that contain the socket.
  private lazy var folders = FolderWatch { [weak self] in self?.checkFiles() }
  /// The newest problem with the socket, which is reported once.
  private var listeningProblem: String?
  /// The client that the session is handed over to.
  private var nextOwner: ControlConnection?
  private lazy var confirmationTimer = DeadlineTimer(isolation: MainActor.shared) {
    [weak self] _, _ in self?.nextOwner?.close()
  }
  /// The reaction to a background process that does not start; `nil` while none is starting.
  private var onBackgroundFailure: (@MainActor (_ reason: String) -> Void)?
  /// A Boolean value that indicates whether another process owns the session.
  private var isHandedOver = false
  private var isClosed = false

  init(_ kind: SessionOwner.Kind, _ ownership: SessionOwnership, of live: BoardOwner) {
    owner = SessionOwner(kind, file: ownership.store.path, at: .now())
    self.ownership = ownership
    self.live = live
    listen()
    live.events.onLines = { [weak self] in self?.server.publish($0) }
  }

  /// Makes the lock and the socket again if others have removed them: called when something has changed in the folders
  /// that contain the socket, and before each save.
  func checkFiles() {
    guard !isClosed else { return }
    do {
      if try ownership.check() { live.saveSoon() }
    } catch let loss as SessionLoss {
      return live.lose(loss, of: owner)
    } catch {
      // The save that follows reports it.
    }
    listen()
  }

  /// Listens at the preferred path that is possible now, and says so in the lock.
  private func listen() {
    let paths = ownership.store.socketPaths
    let before = server.path
    // Before the look, so that no change is missed.
    folders.watch(Self.watchedFolders(of: paths))
    var problem: String?
    let uncontrolled = "carillon ctl cannot control this session"
    do throws(FileError) {
      problem = try server.listen(at: paths).map { "\($0); the socket is \(server.path ?? "")" }
    } catch {
      problem = "\(uncontrolled): \(error)"
    }
    // The server keeps that many for the rest of the program.
    if let error = StandardStreams.limitProblem(StandardStreams.neededDescriptors + 1) {
      problem = "\(uncontrolled): \(error)"
    }
    if let problem, problem != listeningProblem { live.frontEnd?.show(error: problem) }
    listeningProblem = problem
    // The folder of a new socket may be new, too.
    folders.watch(Self.watchedFolders(of: paths))
    if server.path != before { ownership.record(socket: server.path) }
  }

  /// Returns the folders in which changes can remove a socket, or make a better path possible: its own, the one that
  /// contains that, and the next above it that exists.
  private static func watchedFolders(of paths: [String]) -> [String] {
    paths.flatMap { path in
      let folder = FileSystem.folder(of: path)
      let parent = FileSystem.folder(of: folder)
      var above = FileSystem.folder(of: parent)
      while above != "/", FileIdentity(at: above) == nil { above = FileSystem.folder(of: above) }
      return [folder, parent, above]
    }
  }

  /// Removes the socket.
  func close() {
    isClosed = true
    folders.end()
    server.stopListening()
  }

  /// Starts a background process, which takes over the session. A call while one is starting does not start another,
  /// which would take the session over from the first.
  /// - Parameter onFailure: Called with the reason if the process cannot be started or does not take over within five
  ///   seconds. It replaces the closure of an earlier call.
  func startBackground(onFailure: @escaping @MainActor (_ reason: String) -> Void) {
    guard !isHandedOver else { return }
    let isStarting = onBackgroundFailure != nil
    onBackgroundFailure = onFailure
    guard !isStarting else { return }
    guard server.path != nil else {
      return backgroundFailed("no other process can take the session over without its socket")
    }
    do throws(ProgramFailure) {
      let process = try BackgroundProcess(
        of: ownership.store.name, takesOver: true, configuration: live.launch.configurationFile)
      DispatchQueue.global(qos: .utility).async { [weak self] in
        let outcome = Result { () throws(ProgramFailure) in try process.waitUntilStarted() }
        guard case .failure(let error) = outcome else { return }
        DispatchQueue.main.async { self?.backgroundFailed("\(error)") }
      }
    } catch {
      backgroundFailed("\(error)")
    }
  }

  private func backgroundFailed(_ reason: String) {
    // After a hand-over, the session is that of the other process.
    guard !isHandedOver, let onFailure = onBackgroundFailure.take() else { return }
    onFailure(reason)
  }

  /// Responds to a line of a client, now or later.
  func receive(_ line: [UInt8], from connection: ControlConnection) {
    if let response = response(to: line, from: connection) { connection.send(response) }
  }

  /// - Returns: The response; `nil` if it is sent later.
  private func response(to line: [UInt8], from connection: ControlConnection) -> ControlResponse? {
    guard let request = try? ControlRequest(json: line) else {
      return .refused("invalid request (expected a JSON object with \"version\" and \"command\")")
    }
    let (version, known) = (request.version, ControlRequest.version)
    guard version == known else {
      return .refused("unsupported version \(version) of the protocol (expected \(known))")
    }
    guard let frontEnd = live.frontEnd else { return .refused("the session is ending") }
    if let verb = ControlVerb(rawValue: request.command) {
      guard nextOwner == nil else { return .refused("the session is being handed over") }
      let response = perform(verb, request, on: frontEnd)
      guard request.wait ?? true else { return response }
      let send = connection.holdResponse()
      live.whenSaved { error in
        var response = response
        response.warning = error.map { "not saved: \($0)" }
        send(response)
      }
      return nil
    }
    switch ControlRequest.Service(rawValue: request.command) {
    case .owner: return ControlResponse(isOK: true, owner: owner)
    case .list: return ControlResponse(isOK: true, session: session)
    case .watch: return watch(request.value, from: connection)
    case .handOver: return handOver(to: connection)
    case .confirm: return confirm(request, from: connection)
    case .detach: return detach(frontEnd)
    case .quit:
      // After the response.
      DispatchQueue.main.async { frontEnd.end(newOwner: nil) }
      return .success()
    case .reload: return reload()
    case .lost:
      let process = (request.value ?? "another process").printable()
      frontEnd.show(
        error:
          "session '\(ownership.store.name)' was also open in \(process), which saves it no more")
      return .success()
    case nil: return .refused("unknown command '\(request.command)'")
    }
  }

  private func perform(
    _ verb: ControlVerb, _ request: ControlRequest, on frontEnd: any FrontEnd
  ) -> ControlResponse {
    do throws(ControlRefusal) {
      let (now, defaults) = (ClockReading.now(), live.configuration.timerDefaults)
      var added: ParsedTimers?
      if verb == .add {
        added = try request.newTimers(on: live.board, defaults: defaults, at: now)
      }
      let command =
        if let added { Board.Command.add(added.specs) } else {
          try verb.command(for: request, on: live.board, defaults: defaults, at: now)
        }
      let reports = live.perform(command)
      frontEnd.show(reports)
      let hasFailed = reports.contains(where: \.isFailure)
      let lines = verb == .add && !hasFailed ? names(in: reports) : texts(of: reports)
      let text = lines.joined(separator: "\n")
      guard !hasFailed else { return .refused(text) }
      var response = ControlResponse.success(text)
      response.understood = added.map { understood($0, in: reports, at: now) }
      return response
    } catch {
      return .refused(error.description)
    }
  }

  /// Sends the timers, and the events from now on or after one that the client has received.
  private func watch(_ value: String?, from connection: ControlConnection) -> ControlResponse? {
    let position = value.flatMap { EventPosition($0) }
    guard value == nil || position != nil else {
      return .refused("invalid value (expected the feed and the number of an event: FEED:NUMBER)")
    }
    let (last, missed) = live.events.follow(after: position)
    connection.isWatching = true
    connection.send(
      ControlResponse(isOK: true, lastEvent: last.number, feed: last.feed, session: session))
    for line in missed { connection.send(line) }
    return nil
  }

  /// Returns the names by which a request can refer to timers: of one without a name, its reference.
  private func names(in reports: [Report]) -> [String] {
    reports.flatMap(\.timers).map { live.board.timers[$0]?.name ?? $0.reference }
  }

  /// Returns the meaning of each new timer, under the name by which a request can refer to it.
  private func understood(
    _ parsed: ParsedTimers, in reports: [Report], at now: ClockReading
  ) -> String {
    let preview = TimerPreview(startingAt: now, uses24Hours: Program.uses24Hours)
    let timers = reports.flatMap(\.timers).compactMap { live.board.timers[$0] }
    // The ways in which the text could be meant otherwise are about one timer.
    let text = timers.count == 1 ? parsed : nil
    var lines = timers.map { timer in
      // A name such as `#3` is not that of a timer without one.
      let name = timer.name.map { TimerID(reference: $0) == nil ? $0 : "'\($0)'" }
      return preview.text(of: timer.spec, named: name ?? timer.id.reference, in: text)
    }
    if text == nil, let number = parsed.numberInMinutes { lines.append(number) }
    return lines.joined(separator: "\n")
  }

  private func texts(of reports: [Report]) -> [String] {
    let now = ClockReading.now()
    return reports.map { report in
      let text = live.board.logText(of: report, at: now)
      return report.label.isEmpty ? text : "\(report.label): \(text)"
    }
  }

  private func reload() -> ControlResponse {
    guard owner.kind != .run else { return refused("which reads no configuration") }
    do throws(ConfigurationErrors) {
      try live.reload()
      return .success(
        owner.kind == .board
          ? "configuration read; display and keys apply to the next board" : "configuration read"
      )
    } catch {
      return .refused(
        (error.lines + ["the old configuration stays in use"]).joined(separator: "\n"))
    }
  }

  /// Returns the timers as they are now, each with its identifier.
  private var session: SessionFile { SessionFile(live.board, for: .list, at: .now()) }

  /// Returns the refusal of a request that only other owners perform.
  private func refused(_ reason: String? = nil) -> ControlResponse {
    let belongs = "session '\(ownership.store.name)' belongs to \(owner.text)"
    return .refused(reason.map { "\(belongs), \($0)" } ?? belongs)
  }

  /// Continues here if a client ends that was about to own the session.
  func ended(_ connection: ControlConnection) {
    guard connection === nextOwner else { return }
    // The new owner ended before it confirmed.
    nextOwner = nil
    confirmationTimer.unschedule()
    live.resumeAfterHandOver()
  }
}

/// The hand-over.
extension SessionControl {
  /// The time in which the other process must confirm; otherwise the timers continue here.
  private static let confirmationLimit = Duration.seconds(5)

  /// - Parameter send: Sends a response that is not returned at once; `nil` at first.
  private func handOver(
    to connection: ControlConnection, later send: (@MainActor (ControlResponse) -> Void)? = nil
  ) -> ControlResponse? {
    guard owner.kind != .run else { return refused("which cannot hand it over") }
    guard connection.isOpen else { return nil }
    // A second client waits until the first has confirmed or ended. Its connection is then closed.
    guard nextOwner == nil else {
      let send = send ?? connection.holdResponse()
      callOnMain(after: .milliseconds(250)) { [weak self] in
        if let response = self?.handOver(to: connection, later: send) { send(response) }
      }
      return nil
    }
    if let error = live.stopForHandOver() {
      return .refused("the session cannot be saved: \(error)")
    }
    nextOwner = connection
    confirmationTimer.schedule(at: TimerClock.suspending.now.advanced(by: Self.confirmationLimit))
    return .success()
  }

  private func confirm(
    _ request: ControlRequest, from connection: ControlConnection
  ) -> ControlResponse {
    guard connection === nextOwner else { return .refused("the session is not being handed over") }
    nextOwner = nil
    confirmationTimer.unschedule()
    isHandedOver = true
    // The next event is one of the new owner.
    live.events.onLines = nil
    close()
    ownership.release(to: connection.process)
    live.isHandingOver = false
    DispatchQueue.main.async { [weak self] in
      // The clients connect to the new owner, even if commands are still running here; nobody shows their results.
      self?.server.closeConnections {
        let frontEnd = self?.live.frontEnd
        self?.live.frontEnd = nil
        frontEnd?.end(newOwner: request.value ?? "another process")
      }
    }
    let recent = live.events.recent
    return ControlResponse(
      isOK: true, lastEvent: recent?.last, feed: recent?.feed, events: recent?.text)
  }

  private func detach(_ frontEnd: any FrontEnd) -> ControlResponse {
    guard owner.kind == .board else { return refused() }
    startBackground { frontEnd.show(error: $0) }
    return .success("continues in the background")
  }
}
