import TimerBoard
import TimerKit

extension ControlVerb {
  /// Returns the command of a request.
  /// - Parameter defaults: The settings of new timers.
  func command(
    for request: ControlRequest, on board: Board, defaults: TimerDefaults, at now: ClockReading
  ) throws(ControlRefusal) -> Board.Command {
    let ids = form.target == .board ? [] : try timers(of: request, on: board, at: now)
    if let command = try command(on: ids, request.value ?? "", of: board) { return command }
    return .add(try request.newTimers(on: board, defaults: defaults, at: now).specs)
  }

  /// Returns the timers that a request names, in its order.
  private func timers(
    of request: ControlRequest, on board: Board, at now: ClockReading
  ) throws(ControlRefusal) -> [TimerID] {
    let all = board.timers.all
    switch request.selection {
    case .all:
      guard !all.isEmpty else { throw ControlRefusal("there are no timers") }
      return all.map(\.id)
    case .next: return [try next(of: all, at: now).id]
    case nil:
      let names = TimerNames(all.lazy.map { ($0.spec, $0.id) })
      var ids: [TimerID] = []
      var seen: Set<Int> = []
      for name in request.timers ?? [] {
        ids += try names.positions(of: name).filter { seen.insert($0).inserted }.map { all[$0].id }
      }
      guard !ids.isEmpty else {
        throw ControlRefusal("no timer given (expected names, --all or --next)")
      }
      return ids
    }
  }

  /// Returns the timer that fires next. A control that resumes takes the paused timer with the least time left; one
  /// that changes the time or the interval takes that timer if none is running. A toggle takes the running or paused
  /// timer with the least time left, so that a second toggle undoes the first.
  private func next(of all: [BoardTimer], at now: ClockReading) throws(ControlRefusal) -> BoardTimer
  {
    // A stopwatch, and a paused timer that follows the time of day, have none: they come last.
    let timeLeft = { (timer: BoardTimer) in timer.timeLeft(at: now) ?? .seconds(Int64.max) }
    let running = all.filter { $0.machine.deadline != nil }.min { timeLeft($0) < timeLeft($1) }
    let paused = all.filter { $0.state == .paused }.min { timeLeft($0) < timeLeft($1) }
    let soonest = [running, paused].compactMap(\.self).min { timeLeft($0) < timeLeft($1) }
    let (next, states): (BoardTimer?, String) =
      switch self {
      case .start, .resume: (paused, "paused")
      case .toggle: (soonest, "running or paused")
      case .more, .less, .interval: (running ?? paused, "running or paused")
      default: (running, "running")
      }
    guard let next else { throw ControlRefusal("no timer is \(states)") }
    return next
  }
}

extension ControlRequest {
  /// Returns the timers that the request adds.
  /// - Parameter defaults: The settings of new timers.
  func newTimers(
    on board: Board, defaults: TimerDefaults, at now: ClockReading
  ) throws(ControlRefusal) -> ParsedTimers {
    let context = TimerContext(
      names: board.timers.all.compactMap(\.name), groups: board.timers.groups, now: now,
      defaults: defaults)
    do throws(TimerSyntaxError) {
      return try ParsedTimers(arguments: timers ?? [], in: context)
    } catch {
      throw ControlRefusal("\(error)")
    }
  }
}
