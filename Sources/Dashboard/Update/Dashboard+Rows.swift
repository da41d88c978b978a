import TimerKit

extension Dashboard {
  /// What a command is about: the marked rows in the board's own order, else the selected one.
  var targets: [Row] {
    let marked = rows.rows.filter { list.marks.contains($0.id) }
    return marked.isEmpty ? [selectedRow].compactMap { $0 } : marked
  }

  mutating func refuseWithoutTarget() {
    notice = .refused(
      rows.isEmpty
        ? "no timer is here: a adds one" : "no timer has that in it: Esc shows all again")
  }

  /// Changes the list at the selected row, or at the marked ones.
  mutating func change(_ action: Action, at now: Moment) -> [Effect] {
    guard let row = selectedRow ?? targets.first else {
      refuseWithoutTarget()
      return []
    }
    switch action {
    case .edit:
      prompt = Prompt(.edit(row.id), text: row.spec.text, in: timerContext(for: row, at: now))
    case .duplicate: return duplicate(targets, at: now)
    case .delete: return delete(targets, at: now)
    case .moveRowDown: move(by: 1)
    case .moveRowUp: move(by: -1)
    default: break
    }
    return []
  }

  mutating func remember(
    _ deed: String, of rows: [Row], checkpoint: (Row) -> TimerCheckpoint?
  ) {
    let parts = rows.compactMap { row in
      self.rows.position(of: row.id).map {
        UndoHistory.Part(row: row, position: $0, checkpoint: checkpoint(row))
      }
    }
    undoHistory.add(UndoHistory.Step(deed: deed, parts: parts))
  }

  /// Takes the newest deed back: its timers are again as they were then, time and all.
  mutating func undo(at now: Moment) -> [Effect] {
    guard let step = undoHistory.takeLast() else {
      notice = .refused("nothing to undo")
      return []
    }
    let effects = step.parts.flatMap { restore($0, at: now) }
    if let first = step.parts.first.flatMap({ rows.position(of: $0.row.id) }) {
      selected = first
      revealSelection()
    }
    let left =
      step.parts.count == 1
      ? selectedRow.flatMap { timeText(of: $0, at: now) }.map { ", \($0) left" } ?? "" : ""
    notice = .done("undone: \(step.deed)\(left)")
    return effects
  }

  private mutating func restore(_ part: UndoHistory.Part, at now: Moment) -> [Effect] {
    if let position = rows.position(of: part.row.id) {
      ask(part.row.spec, ofRowAt: position)
      return part.checkpoint.map { [remake(at: position, as: $0, now: now)] } ?? []
    }
    guard let checkpoint = part.checkpoint else { return [] }
    let position = min(part.position, rows.count)
    rows.insert(part.row, at: position)
    return [remake(at: position, as: checkpoint, now: now)]
  }

  private mutating func delete(_ targets: [Row], at now: Moment) -> [Effect] {
    let what = targets.count == 1 ? targets[0].label : timers(targets.count)
    remember("delete of \(what)", of: targets) { $0.checkpoint(at: now) }
    // What stands above the selected row moves it up when it goes.
    let above = targets.compactMap { rows.position(of: $0.id) }.filter { $0 < selected }.count
    for row in targets {
      if let position = rows.position(of: row.id) { rows.remove(at: position) }
      list.marks.remove(row.id)
    }
    selected -= above
    notice = .done("deleted \(what) — u brings \(targets.count == 1 ? "it" : "them") back")
    return targets.map { .remove($0.id) }
  }

  /// Removes a row that has no timer.
  mutating func removeRow(of id: TimerID, because reason: String, at now: Moment) {
    guard let position = rows.position(of: id) else { return }
    let row = rows.remove(at: position)
    list.marks.remove(id)
    notice = .refused("\(row.label): \(reason)")
    log.add(.deed("\(row.label) removed: \(reason)"), at: now)
    keepSelectionVisible()
  }

  private mutating func duplicate(_ targets: [Row], at now: Moment) -> [Effect] {
    var effects: [Effect] = []
    var names: [String] = []
    for row in targets {
      guard let position = rows.position(of: row.id) else { continue }
      var spec = row.spec
      spec.name = row.name.map(nextName)
      names += [spec.name].compactMap { $0 }
      effects.append(add(spec, at: position + 1, now: now))
      selected = position + 1
    }
    notice = .done(
      targets.count == 1
        ? "copied \(targets[0].label)" + (names.first.map { " as \($0)" } ?? "")
        : "copied \(timers(targets.count))")
    return effects
  }

  /// `tea`, `tea-2`, `tea-3`: the first that is free.
  private func nextName(after name: String) -> String {
    let taken = Set(rows.rows.compactMap(\.name))
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    let number = parts.count > 1 ? parts.last.flatMap { Int($0) } : nil
    let stem = number == nil ? name : parts.dropLast().joined(separator: "-")
    let free = (2...).first { !taken.contains("\(stem)-\($0)") }
    return "\(stem)-\(free ?? 2)"
  }

  /// Moves the row past its neighbour, as both are seen.
  private mutating func move(by offset: Int) {
    guard list.order == RowOrder() else {
      notice = .refused("the rows are ordered by \(list.order.text): in their own order they move")
      return
    }
    let positions = Arrangement(of: self).positions
    guard let place = positions.firstIndex(of: selected),
      positions.indices.contains(place + offset)
    else { return }
    rows.move(from: selected, to: positions[place + offset])
    selected = positions[place + offset]
  }
}
