import TimerBoard
import TimerKit

extension Dashboard {
  /// The timers that an action applies to: the marked ones in the board's own order, or else the selected one.
  var targets: [TimerID] {
    let marked = listState.marks.compactMap { rows.position(of: $0) }.sorted()
    return marked.isEmpty ? [selectedRow].compactMap { $0?.id } : marked.map { rows.all[$0].id }
  }

  /// The targets whose actions the footer offers: some of them if there are many, because it is drawn in each frame.
  var footerTargets: [TimerID] {
    let limit = 100
    return listState.marks.count > limit
      ? listState.marks.prefix(limit).filter { rows[$0] != nil } : targets
  }

  /// Shows a notice that there is no timer to act on.
  mutating func reportNoTarget() { notice = .failure(noTargetText) }

  /// The reason for which there is no timer to act on: the board is empty, or the filter hides all rows.
  var noTargetText: String {
    guard rows.isEmpty else { return "no matches" }
    return "no timers"
      + (keyHint(for: .add, in: .board, "to add one").map { "; press \($0)" } ?? "")
  }

  /// Returns true if an action has an effect on the board as it is: on one of the timers, or on the list.
  func applies(_ action: Action, to targets: [TimerID], at now: ClockReading) -> Bool {
    switch action {
    case .moveRowUp, .moveRowDown: return !targets.isEmpty
    case .undo, .redo: return board.canUndo(isRedo: action == .redo)
    case .acknowledge: return rows.alertCount > rows.readyCount
    case .filter, .sort, .reverse, .markAll, .pauseAll, .up, .down, .left, .right, .top,
      .bottom:
      return !rows.isEmpty
    case .tour: return attached == nil && rows.isEmpty
    case .nextMatch, .previousMatch: return !listState.latestSearch.isEmpty
    default:
      guard action.form.takesTimer else { return true }
      guard action.timerAction != nil else { return !targets.isEmpty }
      return targets.contains { id in
        rows.position(of: id).map { applies(action, toTimerAt: $0, at: now) } ?? false
      }
    }
  }

  /// Returns true if an action has an effect on the timer at a position in the board's own order. An action that live
  /// timers do not perform, such as "delete", always has one.
  func applies(_ action: Action, toTimerAt position: Int, at now: ClockReading) -> Bool {
    switch action {
    case .start, .resume, .pause:
      return (rows.all[position].state == .running) == (action == .pause)
    case .moreTime, .lessTime:
      let row = rows.all[position]
      if row.canBeSnoozed(at: now) { return action == .moreTime }
      // For both actions the test is that time can be added. Time can be removed only while enough is left, but the
      // footer must not change as time passes.
      return TimerAction.adjustTime(.more).refusal(of: row, at: now) == nil
    default:
      return action.timerAction?.refusal(of: rows.all[position], at: now) == nil
    }
  }

  /// Returns the message that an action has no effect on timers, with the reason if it is a single one; `nil` without
  /// timers.
  func noEffectText(of action: Action, on ids: Set<TimerID>, at now: ClockReading) -> String? {
    guard let row = ids.first.flatMap({ rows[$0] }) else { return nil }
    guard ids.count == 1 else {
      return "'\(action.rawValue)' has no effect on these \(ids.count) timers"
    }
    let refusal = action.timerAction?.refusal(of: row, at: now)?.description
    return "\(row.label): \(refusal ?? "already \(row.state)")"
  }

  /// Duplicates or deletes the targets, or moves the selected row or opens the prompt that edits it.
  /// - Parameter named: The timers that a command names, instead of the targets and the selected row; the first of them is edited.
  mutating func performRowAction(
    _ action: Action, on named: [TimerID]? = nil, at now: ClockReading
  ) {
    let targets = named ?? self.targets
    guard let row = (named == nil ? selectedRow : nil) ?? targets.first.flatMap({ rows[$0] }) else {
      return reportNoTarget()
    }
    switch action {
    case .edit:
      let context = timerContext(for: row, at: now)
      openPrompt(TimerPrompt(.edit(row.id), text: row.spec.text, in: context))
    case .duplicate:
      select(perform(.duplicate(targets), at: now).last?.timers.last)
    case .delete:
      // The selected row moves up by the rows deleted above it.
      let above = targets.compactMap { rows.position(of: $0) }.filter { $0 < selected }.count
      selected -= above
      perform(.delete(targets), at: now)
      hint(.undo, in: .board, "restores \(targets.count == 1 ? "it" : "them")")
    case .moveRowDown: move(by: 1, at: now)
    case .moveRowUp: move(by: -1, at: now)
    default: break
    }
  }

  /// Appends a key and its meaning to the notice of a success.
  private mutating func hint(_ action: Action, in scope: Binding.Scope, _ meaning: String) {
    let key = bindings.keyName(of: action, in: scope, symbols)
    if notice?.isFailure == false, !key.isEmpty { notice?.text += "; \(key) \(meaning)" }
  }

  /// Selects a row, and clears the filter if it hides the row. Appends that to the notice.
  mutating func select(_ id: TimerID?) {
    guard let position = id.flatMap({ rows.position(of: $0) }) else { return }
    selected = position
    if FilteredRows(of: self).index(of: selected) == nil {
      let filter = listState.filter.text
      let text = "filter '\(filter)' cleared, because it hides \(rows[selected].label)"
      listState.filter = .forFilter
      notice = Notice(
        text: (notice.map { "\($0.text); " } ?? "") + text, isFailure: notice?.isFailure ?? false)
    }
    listState.hidesAll = false
  }

  /// Moves the selected row past the adjacent shown row.
  private mutating func move(by offset: Int, at now: ClockReading) {
    guard listState.order == RowOrder() else {
      let hint = keyHint(for: .sort, in: .board, "changes it").map { "; \($0)" } ?? ""
      notice = .failure(
        "rows are sorted by \(listState.order.text) (expected the board order\(hint))")
      return
    }
    let positions = FilteredRows(of: self).positions
    guard let index = positions.firstIndex(of: selected),
      positions.indices.contains(index + offset)
    else { return }
    let id = rows[selected].id
    selected = positions[index + offset]
    perform(.move(id, to: selected), at: now)
  }
}
