import TimerBoard
import TimerKit

/// The reason for which a request of a client is refused.
struct ControlRefusal: Error, CustomStringConvertible {
  var description: String

  init(_ description: String) {
    self.description = description
  }
}

extension ControlVerb {
  /// Returns the commands of a request.
  /// - Parameter defaults: The settings of new timers.
  func commands(
    for request: ControlRequest, on board: Board, defaults: TimerDefaults, at now: ClockReading
  ) throws(ControlRefusal) -> [Board.Command] {
    switch self {
    case .add: return [.add(try specs(of: request, on: board, defaults, at: now))]
    case .undo: return [.undo]
    case .redo: return [.redo]
    case .acknowledge: return [.acknowledge]
    case .mute: return [.mute(!board.isMuted)]
    default: break
    }
    let ids = try timers(of: request, on: board, at: now)
    if let action = try action(of: request) { return [.control(action, ids)] }
    return self == .delete ? [.delete(ids)] : try edits(of: ids, request, on: board)
  }

  /// Returns the action of a control; `nil` for a control that is no action on timers, such as an edit.
  private func action(of request: ControlRequest) throws(ControlRefusal) -> TimerAction? {
    switch self {
    case .start, .resume: .start
    case .pause: .pause
    case .toggle: .toggle
    case .restart: .reset(restart: true)
    case .reset: .reset(restart: false)
    case .fire: .fire(pausing: false)
    case .skip: .skip
    case .lap: .lap
    case .more: .adjustTime(.exactly(try duration(of: request)))
    case .less: .adjustTime(.exactly(.zero - (try duration(of: request))))
    case .interval: .setInterval(try duration(of: request), .fromLastFire)
    case .delete, .rename, .note, .add, .undo, .redo, .mute, .acknowledge: nil
    }
  }

  private func specs(
    of request: ControlRequest, on board: Board, _ defaults: TimerDefaults, at now: ClockReading
  ) throws(ControlRefusal) -> [TimerSpec] {
    let names = board.timers.all.compactMap(\.name)
    do throws(TimerSyntaxError) {
      return try TimerSpec.parse(
        arguments: request.timers ?? [],
        in: TimerContext(
          names: names, groups: board.timers.groups, now: now, defaults: defaults))
    } catch {
      throw ControlRefusal("\(error)")
    }
  }

  private func edits(
    of ids: [TimerID], _ request: ControlRequest, on board: Board
  ) throws(ControlRefusal) -> [Board.Command] {
    guard ids.count == 1, let timer = board.timers[ids[0]] else {
      throw ControlRefusal("\(rawValue) applies to one timer (\(ids.count) given)")
    }
    var spec = timer.spec
    let text = request.value ?? ""
    if self == .rename { spec.name = text } else { spec.note = text.isEmpty ? nil : text }
    // The session stores the text of the timer.
    guard spec.roundTripsAsText else {
      throw ControlRefusal("invalid \(self == .rename ? "name" : "note") '\(text)'")
    }
    return [.edit(timer.id, spec)]
  }

  private func duration(of request: ControlRequest) throws(ControlRefusal) -> Duration {
    let text = request.value ?? ""
    do throws(TimeSyntaxError) {
      return try DurationText.parse(text)
    } catch {
      throw ControlRefusal("'\(text)': \(error.message)")
    }
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
    case .next:
      return [try next(of: all, at: now).id]
    case nil:
      let titles = Dictionary(grouping: all, by: \.spec.title)
      var ids: [TimerID] = []
      var seen: Set<TimerID> = []
      for name in request.timers ?? [] {
        let named = try timers(named: name, among: titles, on: board)
        ids += named.filter { seen.insert($0).inserted }
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
    let running = all.filter { $0.due != nil }
      .min { $0.due?.nanoseconds ?? 0 < $1.due?.nanoseconds ?? 0 }
    let timeLeft = { (timer: BoardTimer) in
      SavedTimer(timer.spec, timer.checkpoint(at: now)).timeLeft(at: now) ?? .zero
    }
    let paused = all.filter { $0.status.state == .paused }
      .min { timeLeft($0) < timeLeft($1) }
    switch self {
    case .start, .resume:
      if let paused { return paused }
      throw ControlRefusal("no timer is paused")
    case .toggle:
      if let paused, running.map({ timeLeft(paused) < timeLeft($0) }) ?? true { return paused }
      if let running { return running }
      throw ControlRefusal("no timer is running or paused")
    case .more, .less, .interval:
      if let next = running ?? paused { return next }
      throw ControlRefusal("no timer is running or paused")
    default:
      if let running { return running }
      throw ControlRefusal("no timer is running")
    }
  }

  private func timers(
    named name: String, among titles: [String: [BoardTimer]], on board: Board
  ) throws(ControlRefusal) -> [TimerID] {
    if let found = titles[name] { return found.map(\.id) }
    if let id = TimerID(reference: name), board.timers[id] != nil { return [id] }
    let group = board.timers.ids(named: name)
    guard group.isEmpty else { return group }
    throw ControlRefusal(
      Suggestion.unknownTimer(
        name, of: board.timers.all.map(\.spec.title) + board.timers.groups.sorted()))
  }
}
