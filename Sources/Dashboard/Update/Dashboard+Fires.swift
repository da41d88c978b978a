import TimerKit

/// What follows from a fire, besides the row that tells of it.
extension Dashboard {
  /// - Parameter hasFinished: it was the last one of its run; the timer tells so before it tells of
  ///   the fire itself.
  mutating func consequences(
    of fire: Fire?, hasFinished: Bool, ofRowAt position: Int, at now: Moment
  ) -> [Effect] {
    let row = rows[position]
    var effects: [Effect] = []
    if let fire, let command = row.spec.command {
      rows.change(at: position) { $0.command.isRunning = true }
      effects.append(.run(command, row.id, row.spec, fire, row.status))
    }
    if fire != nil, row.spec.rings {
      rows.change(at: position) { $0.isRinging = true }
      if !isMuted { effects.append(.keepRinging(true)) }
    } else if hasFinished, !row.spec.rings, !isMuted {
      effects.append(.ring)
    }
    if !isMuted, let told = notification(of: fire, hasFinished: hasFinished, row: row) {
      effects.append(.notify(told))
    }
    if fire != nil, row.status.phase == .finished, let next = row.spec.next {
      effects += startSuccessor(named: next, of: row, at: now)
    }
    return effects
  }

  /// What there is to tell of a fire to a person who looks elsewhere.
  private func notification(
    of fire: Fire?, hasFinished: Bool, row: Row
  ) -> TimerNotification? {
    if let fire, row.spec.rings {
      return TimerNotification(.ring, timer: row.label, text: event(of: fire, row: row).text)
    }
    if hasFinished, !row.spec.rings {
      return TimerNotification(.finished, timer: row.label, text: "finished")
    }
    guard let fire, case .began(let phase, _) = event(of: fire, row: row) else { return nil }
    return TimerNotification(.phase, timer: row.label, text: "\(phase) begins")
  }

  /// Starts the first timer of that name from its beginning, whatever it does; one that waits to be
  /// triggered is triggered.
  private mutating func startSuccessor(
    named name: String, of row: Row, at now: Moment
  ) -> [Effect] {
    guard let position = rows.firstPosition(named: name) else {
      log.add(.noSuccessor(name), label: row.label, at: now)
      return []
    }
    let target = rows[position]
    let isTriggered = if case .calls = target.status { true } else { false }
    do throws(Refusal) {
      let command = try command(for: isTriggered ? .fire : .reset, of: target, at: now)
      log.add(.startedBy(row.label), label: target.label, at: now)
      return [.send(command, to: target.id)]
    } catch {
      log.add(.deed(error.reason), at: now)
      return []
    }
  }

  /// A command has ended: its row tells how, and of a timer that backs off the interval follows.
  mutating func hear(
    _ result: CommandResult, of id: TimerID, isRunning: Bool, at now: Moment
  ) -> [Effect] {
    guard let position = rows.position(of: id) else { return [] }
    let before = rows[position]
    var interval: Duration?
    rows.change(at: position) { row in
      row.command.isRunning = isRunning
      if case .repeater(let snapshot) = row.status {
        interval = row.command.end(
          with: result, interval: snapshot.configuration.interval ?? .zero,
          upTo: snapshot.state == .running ? row.spec.backoff : nil)
      } else {
        _ = row.command.end(with: result, interval: .zero, upTo: nil)
      }
    }
    let failedBefore = before.command.result.map { !$0.isSuccess } ?? false
    if !result.isSuccess || failedBefore {
      log.add(.commandEnded(result, interval: interval), label: before.label, at: now)
    }
    var effects: [Effect] = interval.map { [.send(.setInterval($0, .fromNow), to: id)] } ?? []
    if !result.isSuccess, !failedBefore, !isMuted {
      effects.append(
        .notify(TimerNotification(.failed, timer: before.label, text: result.text(next: interval))))
    }
    return effects
  }

  /// An interval that a person sets is the usual one from then on.
  mutating func forgetFailures(after effects: [Effect]) {
    for case .send(.setInterval, let id) in effects {
      guard let position = rows.position(of: id) else { continue }
      rows.change(at: position) { $0.command.forgetFailures() }
    }
  }

  /// Gives a row's timer what is asked for now; those that start it when they finish go by its new
  /// name.
  mutating func ask(_ spec: TimerSpec, ofRowAt position: Int) {
    let old = rows[position].name
    rows.change(at: position) { $0.ask(for: spec) }
    guard let old, let new = spec.name, old != new, rows.firstPosition(named: old) == nil
    else { return }
    for index in 0..<rows.count where rows[index].spec.next == old {
      rows.change(at: index) { row in
        var spec = row.spec
        spec.next = new
        row.ask(for: spec)
      }
    }
  }
}
