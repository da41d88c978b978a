public import TimerKit

extension Dashboard {
  /// Counts what a session keeps: while it stays the same, there is nothing new to save.
  public var revision: Int { rows.revision }

  /// All timers in their order, as they stand.
  public func savedTimers(at now: Moment) -> [SavedTimer] {
    rows.rows.map { SavedTimer($0.spec, $0.checkpoint(at: now)) }
  }

  /// Brings the timers of a session back, and says what happened meanwhile. Of those that ring once,
  /// the ones that had rung before are gone.
  public mutating func resume(
    _ saved: [SavedTimer], _ resumption: RestorePolicy, at now: Moment
  ) -> [Effect] {
    let current = saved.filter { !($0.spec.fireCount == 1 && $0.phase == .finished) }
    let absence = TimerAbsence(of: current, resumption, until: now)
    var effects: [Effect] = []
    for (index, timer) in absence.timers.enumerated() {
      effects.append(add(timer, at: now))
      if absence.finished.contains(index) {
        rows.change(at: rows.count - 1) { $0.callsForAttention = true }
      }
    }
    expectAnswers(to: effects)
    let report = absence.report
    guard !report.isEmpty else { return effects }
    for line in report { log.add(.deed("\(line) while the board was closed"), at: now) }
    let shown = report.prefix(3).joined(separator: ", ")
    let rest = report.count > 3 ? " and \(report.count - 3) more" : ""
    notice = .done("while the board was closed: \(shown)\(rest)")
    return effects
  }
}
