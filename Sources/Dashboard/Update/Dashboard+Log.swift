import TimerKit

extension Dashboard {
  /// What a command did is logged in the words of its message; what was refused did not happen.
  mutating func logNotice(at now: Moment) {
    guard let notice, !notice.isRefusal else { return }
    log.add(.deed(notice.deed), label: notice.label, at: now)
  }

  /// What a timer told of itself.
  mutating func logNews(_ news: TimerNews?, of row: Row, at now: Moment) {
    switch news {
    case .fired(let fire): log.add(event(of: fire, row: row), label: row.label, at: now)
    case .stale: log.add(.stale, label: row.label, at: now)
    case .changed, .refused, nil: break
    }
  }

  func event(of fire: Fire, row: Row) -> EventLog.Event {
    if row.status.phase == .finished { return .finished(fire) }
    if case .cycle(let cycle) = row.status, let position = cycle.position {
      return .began(position.phase.name, fire)
    }
    guard case .repeater = row.status, case .counted(let left, _) = row.status.iterations,
      let number = fire.iteration
    else { return .fired(row.status.deliveredCount, of: nil, fire) }
    // A run can have got more or fewer than its usual count.
    return .fired(number, of: number + left, fire)
  }
}
