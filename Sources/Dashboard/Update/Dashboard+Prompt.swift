import TimerKit

extension Dashboard {
  mutating func performInPrompt(_ action: Action, at now: Moment) -> [Effect] {
    if command != nil { return performOnCommandLine(action, at: now) }
    if let filter = typedFilter {
      edit(filter, action)
      return []
    }
    switch action {
    case .accept: return accept(at: now)
    case .cancel: prompt = nil
    case .older:
      if let line = prompt.flatMap({ timerHistory.older(than: $0.editor.text) }) {
        prompt?.replace(with: line)
      }
    case .newer: if let line = timerHistory.newer() { prompt?.replace(with: line) }
    default: prompt?.perform(action)
    }
    return []
  }

  /// What timers typed now are read against: for the edit of a row its old name does not count, and
  /// a date that it is past already may stay.
  func timerContext(for edited: Row? = nil, at now: Moment) -> TimerContext {
    TimerContext(
      names: rows.rows.filter { $0.id != edited?.id }.compactMap(\.name),
      now: edited?.isPast(at: now) == true ? nil : now.wall)
  }

  private mutating func accept(at now: Moment) -> [Effect] {
    guard let prompt, case .success(let specs) = prompt.understood else {
      self.prompt?.refuse()
      return []
    }
    self.prompt = nil
    timerHistory.add(prompt.editor.text)
    switch prompt.purpose {
    case .add:
      let effects = specs.map { add($0, at: rows.count, now: now) }
      selected = rows.count - 1
      revealSelection()
      notice = .done(
        specs.count == 1 ? "added \(rows[selected].label)" : "added \(timers(specs.count))")
      return effects
    case .edit(let id):
      guard let position = rows.position(of: id), let spec = specs.first else { return [] }
      return edit(rowAt: position, to: spec, at: now)
    }
  }

  private mutating func edit(rowAt position: Int, to spec: TimerSpec, at now: Moment) -> [Effect] {
    let old = rows[position]
    let edit = TimerEdit(of: old, to: spec, at: now)
    guard spec != old.spec else {
      notice = .done("\(old.label) is as it was")
      return []
    }
    let touchesTime = edit != .keepsTimer(nil)
    remember(
      "edit of \(old.label)", of: [old],
      checkpoint: { touchesTime ? $0.checkpoint(at: now) : nil })
    ask(spec, ofRowAt: position)
    switch edit {
    case .keepsTimer(let command):
      notice = .done(
        old.label == rows[position].label
          ? "changed \(old.label)" : "\(old.label) is now \(rows[position].label)")
      return command.map { [.send($0, to: old.id)] } ?? []
    case .remakes(let checkpoint):
      let effect = remake(at: position, as: checkpoint, now: now)
      let left = timeText(of: rows[position], at: now).map { ", \($0) left" } ?? ""
      notice = .done("changed \(old.label) to \(rows[position].kindText)\(left)")
      return [effect]
    }
  }
}
