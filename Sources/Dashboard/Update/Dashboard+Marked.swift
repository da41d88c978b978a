import TimerKit

extension Dashboard {
  /// Asks several timers for what a key means, all in one deed that one undo takes back; those to
  /// which it means nothing are left out.
  mutating func ask(
    _ action: Action, by amount: Duration?, of targets: [Row], at now: Moment
  ) -> [Effect] {
    var asked: [(row: Row, command: TimerCommand)] = []
    var refusals: [Refusal] = []
    for row in together(targets, for: action) {
      do throws(Refusal) {
        asked.append((row, try command(for: action, of: row, at: now).amounting(to: amount)))
      } catch {
        refusals.append(error)
      }
    }
    guard let first = asked.first else {
      notice = refusals.first.map { .refused($0.reason) }
      return []
    }
    if let deed = first.command.deed {
      remember("\(deed) \(timers(asked.count))", of: asked.map(\.row)) { $0.checkpoint(at: now) }
    }
    let left = refusals.isEmpty ? "" : ", not \(timers(refusals.count)) to which it means nothing"
    notice = .done(first.command.announcement(of: timers(asked.count)) + left)
    return asked.map { .send($0.command, to: $0.row.id) }
  }

  /// Whatever of them runs is paused together; where nothing does, all start.
  private func together(_ targets: [Row], for action: Action) -> [Row] {
    guard action == .startOrPause else { return targets }
    let running = targets.filter { row in
      if case .calls = row.status { return false }
      return row.status.phase == .running
    }
    return running.isEmpty ? targets : running
  }
}

extension TimerCommand {
  /// What was done to several timers.
  fileprivate func announcement(of timers: String) -> String {
    switch self {
    case .start: "started \(timers)"
    case .pause: "paused \(timers)"
    case .reset(let restart): "reset \(timers)" + (restart ? "" : ", stopped")
    case .fire(let andPause): "fired \(timers)" + (andPause ? " and paused them" : "")
    case .adjustTimeLeft(let change): "\(change < .zero ? "less" : "more") time for \(timers)"
    case .setInterval: "another interval for \(timers)"
    case .setRemainingIterations: "other iterations for \(timers)"
    case .skip: "skipped a phase of \(timers)"
    case .lap: "a lap of \(timers)"
    }
  }
}
