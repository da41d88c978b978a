import TimerKit

extension Dashboard {
  /// Changes the list at the selected row.
  mutating func change(_ action: Action, at now: Moment) -> [Effect] {
    guard let row = selectedRow else {
      notice = .refused("no timer is here: a adds one")
      return []
    }
    switch action {
    case .edit: prompt = Prompt(.edit(row.id), text: row.spec.text)
    case .duplicate: return duplicate(row, at: now)
    case .delete: return delete(row, at: now)
    case .moveRowDown: move(by: 1)
    case .moveRowUp: move(by: -1)
    default: break
    }
    return []
  }

  mutating func remember(_ deed: String, of row: Row, checkpoint: TimerCheckpoint?) {
    guard let position = rows.position(of: row.id) else { return }
    undoHistory.add(
      UndoHistory.Step(row: row, position: position, checkpoint: checkpoint, deed: deed))
  }

  /// Takes the newest deed back: a timer is again as it was then, time and all.
  mutating func undo(at now: Moment) -> [Effect] {
    guard let step = undoHistory.takeLast() else {
      notice = .refused("nothing to undo")
      return []
    }
    var effects: [Effect] = []
    if let position = rows.position(of: step.row.id) {
      selected = position
      rows.change(at: position) { $0.ask(for: step.row.spec) }
      if let checkpoint = step.checkpoint {
        effects = [remake(at: position, as: checkpoint, now: now)]
      }
    } else if let checkpoint = step.checkpoint {
      selected = min(step.position, rows.count)
      rows.insert(step.row, at: selected)
      effects = [remake(at: selected, as: checkpoint, now: now)]
    }
    let left = selectedRow.flatMap { timeText(of: $0, at: now) }.map { ", \($0) left" } ?? ""
    notice = .done("undone: \(step.deed)\(left)")
    return effects
  }

  private mutating func delete(_ row: Row, at now: Moment) -> [Effect] {
    remember("delete of \(row.label)", of: row, checkpoint: row.checkpoint(at: now))
    rows.remove(at: selected)
    notice = .done("deleted \(row.label) — u brings it back")
    return [.remove(row.id)]
  }

  private mutating func duplicate(_ row: Row, at now: Moment) -> [Effect] {
    var spec = row.spec
    spec.name = row.name.map(nextName)
    let effect = add(spec, at: selected + 1, now: now)
    selected += 1
    notice = .done("copied \(row.label)" + (spec.name.map { " as \($0)" } ?? ""))
    return [effect]
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

  private mutating func move(by offset: Int) {
    let target = selected + offset
    guard target >= 0, target < rows.count else { return }
    rows.swap(selected, target)
    selected = target
  }
}
