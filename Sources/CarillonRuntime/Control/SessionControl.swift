import Dispatch
import Platform
import TimerBoard
import TimerKit

/// The control of a session from other processes, by its owner. It runs on the main queue.
@MainActor
final class SessionControl {
  private let owner: SessionOwner
  private let ownership: SessionOwnership
  private unowned let live: LiveBoard
  /// `nil` if the socket could not be opened.
  private var server: ControlServer?
  /// The client that the session is handed over to.
  private var nextOwner: ControlConnection?
  private lazy var confirmationTimer = DeadlineTimer(isolation: MainActor.shared) {
    [weak self] _, _ in self?.nextOwner?.close()
  }
  private lazy var backgroundTimer = DeadlineTimer(isolation: MainActor.shared) {
    [weak self] _, _ in self?.onBackgroundFailure?()
  }
  private var onBackgroundFailure: (@MainActor () -> Void)?
  /// A Boolean value that indicates whether another process owns the session.
  private var isHandedOver = false

  init(_ kind: SessionOwner.Kind, _ ownership: SessionOwnership, of live: LiveBoard) {
    owner = SessionOwner(kind, at: .now())
    self.ownership = ownership
    self.live = live
    do throws(FileError) {
      server = try ControlServer(at: ownership.store.socketPath, for: self)
    } catch {
      live.frontEnd?.show(error: "carillon ctl cannot control this session: \(error)")
    }
    live.events.onLines = { [weak self] in self?.server?.publish($0) }
  }

  /// Removes the socket.
  func close() {
    server?.stopListening()
  }

  /// Starts a background process, which takes over the session. A call while one is starting does not start another,
  /// which would take the session over from the first.
  /// - Parameter onFailure: Called if the process cannot be started or does not take over within five seconds. It
  ///   replaces the closure of an earlier call.
  func startBackground(onFailure: @escaping @MainActor () -> Void) {
    onBackgroundFailure = onFailure
    guard !isHandedOver, backgroundTimer.deadline == nil else { return }
    guard server != nil else { return onFailure() }
    let isStarted = startBackgroundProcess(
      of: ownership.store.name, takesOver: true, configuration: live.launch.configurationFile)
    guard isStarted else { return onFailure() }
    backgroundTimer.schedule(at: TimerClock.suspending.now.advanced(by: .seconds(5)))
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
        added = try request.newTimers(on: live.model.board, defaults: defaults, at: now)
      }
      let command =
        if let added { Board.Command.add(added.specs) } else {
          try verb.command(for: request, on: live.model.board, defaults: defaults, at: now)
        }
      let reports = live.model.perform(command)
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
    let number = value.flatMap { Int($0) }
    guard value == nil || number != nil else {
      return .refused("invalid value (expected the number of an event)")
    }
    let (last, missed) = live.events.follow(after: number)
    connection.isWatching = true
    connection.send(ControlResponse(isOK: true, lastEvent: last, session: session))
    for line in missed { connection.send(line) }
    return nil
  }

  /// Returns the names by which a request can refer to timers: of one without a name, its reference.
  private func names(in reports: [Report]) -> [String] {
    reports.flatMap(\.timers).map { live.model.board.timers[$0]?.name ?? $0.reference }
  }

  /// Returns the meaning of each new timer, under the name by which a request can refer to it.
  private func understood(
    _ parsed: ParsedTimers, in reports: [Report], at now: ClockReading
  ) -> String {
    let preview = TimerPreview(startingAt: now, uses24Hours: Program.uses24Hours)
    let timers = reports.flatMap(\.timers).compactMap { live.model.board.timers[$0] }
    // The ways in which the text could be meant otherwise are about one timer.
    let text = timers.count == 1 ? parsed : nil
    var lines = timers.map { timer in
      // A name such as `#3` is not that of a timer without one.
      let name = timer.name.map { TimerID(reference: $0) == nil ? $0 : "'\($0)'" }
      return preview.text(of: timer.spec, named: name ?? timer.id.reference, in: text)
    }
    if text == nil { lines += [parsed.numberInMinutes].compactMap { $0 } }
    return lines.joined(separator: "\n")
  }

  private func texts(of reports: [Report]) -> [String] {
    let now = ClockReading.now()
    return reports.map { report in
      let text = live.model.board.logText(of: report, at: now)
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
  private var session: SessionFile { SessionFile(live.model.board, for: .list, at: .now()) }

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
  /// A hand-over waits if the fire of a timer that follows the time of day is due within this time, because the fire
  /// would be missed.
  private static let quietTime = Duration.milliseconds(200)
  /// The time in which the other process must confirm; otherwise the timers continue here.
  private static let confirmationLimit = Duration.seconds(5)

  /// - Parameter send: Sends a response that is not returned at once; `nil` at first.
  private func handOver(
    to connection: ControlConnection, later send: (@MainActor (ControlResponse) -> Void)? = nil
  ) -> ControlResponse? {
    guard owner.kind != .run else { return refused("which cannot hand it over") }
    guard connection.isOpen else { return nil }
    // Within its tolerance, a timer can be due for longer than the other process waits.
    live.model.waitForDueEvents(on: .wall)
    live.model.receive()
    let now = ClockReading.now()
    // A second client waits until the first has confirmed or ended. Its connection is then closed.
    let isLater =
      nextOwner != nil
      || live.model.board.timers.all.contains { timer in
        timer.wallOccurrences.map { now.wall.duration(to: $0.deadline) < Self.quietTime } ?? false
      }
    guard !isLater else {
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
    backgroundTimer.unschedule()
    // The next event is one of the new owner.
    live.events.onLines = nil
    close()
    ownership.release()
    live.isHandingOver = false
    DispatchQueue.main.async { [weak self] in
      // The clients connect to the new owner, even if commands are still running here; nobody shows their results.
      self?.server?.closeConnections {
        let frontEnd = self?.live.frontEnd
        self?.live.frontEnd = nil
        frontEnd?.end(newOwner: request.value ?? "another process")
      }
    }
    let recent = live.events.recent
    return ControlResponse(isOK: true, lastEvent: recent?.last, events: recent?.text)
  }

  private func detach(_ frontEnd: any FrontEnd) -> ControlResponse {
    guard owner.kind == .board else { return refused() }
    startBackground { frontEnd.show(error: "the background process did not start") }
    return .success("continues in the background")
  }
}
