import TimerKit

extension Dashboard {
  /// The filter that is being typed, if one is.
  var typedFilter: WritableKeyPath<Dashboard, Filter>? {
    if logView.filter.isTyping { return \.logView.filter }
    return list.filter.isTyping ? \.list.filter : nil
  }

  /// Does what a key means while a filter is typed.
  mutating func edit(_ filter: WritableKeyPath<Dashboard, Filter>, _ action: Action) {
    switch action {
    case .accept: self[keyPath: filter].isTyping = false
    case .cancel:
      self[keyPath: filter] = Filter()
      filterChanged()
    case .older, .newer:
      if screen != .log { moveSelection(by: action == .older ? -1 : 1) }
      list.origin = selectedRow?.id
    default:
      let before = self[keyPath: filter].editor.characters
      _ = self[keyPath: filter].editor.perform(action)
      if self[keyPath: filter].editor.characters != before { filterChanged() }
    }
  }

  /// What is seen is another list: the log shows its newest matches, the board what was selected
  /// before, or the match after it.
  mutating func filterChanged() {
    if screen == .log {
      logView.anchor = nil
    } else if let origin = list.origin.flatMap({ rows.position(of: $0) }) {
      selected = origin
    }
    if !list.filter.isEmpty { list.sought = list.filter.text }
  }

  mutating func moveSelection(by offset: Int) {
    let positions = Arrangement(of: self).positions
    guard !positions.isEmpty else { return }
    let place = positions.firstIndex(of: selected) ?? 0
    selected = positions[min(max(0, place + offset), positions.count - 1)]
  }

  /// Sees to it that the filter does not hide what was just selected.
  mutating func revealSelection() {
    if Arrangement(of: self).place(of: selected) == nil { list.filter = Filter() }
    list.hidesAll = false
  }

  /// Filters, orders and marks rows.
  mutating func arrange(_ action: Action) {
    switch action {
    case .filter:
      list.origin = selectedRow?.id
      list.filter.isTyping = true
    case .nextMatch: goToMatch(forward: true)
    case .previousMatch: goToMatch(forward: false)
    case .order: order(by: list.order.next)
    case .reverse:
      order(by: RowOrder(column: list.order.column, isReversed: !list.order.isReversed))
    case .mark: toggleMark()
    case .markAll: toggleAllMarks()
    default:
      if !list.filter.isEmpty { list.filter = Filter() } else { list.marks = [] }
    }
  }

  mutating func order(by order: RowOrder) {
    list.order = order
    notice = .done("ordered by \(order.text)")
  }

  /// Orders by a column; by the same again, the other way round.
  mutating func order(by column: TableColumns.Column) {
    guard RowOrder.columns.contains(column) else {
      notice = .refused("\(column.title.lowercased()) always moves: rows are not ordered by it")
      return
    }
    order(
      by: RowOrder(
        column: column, isReversed: list.order.column == column && !list.order.isReversed))
  }

  /// Goes round and round through what has the newest filter's text in it.
  private mutating func goToMatch(forward: Bool) {
    let sought = SearchText(list.sought)
    guard !sought.isEmpty else {
      notice = .refused("nothing was looked for yet: / does")
      return
    }
    let positions = Arrangement(of: self).positions
    let matches = positions.indices.filter { rows[positions[$0]].matches(sought) }
    let place = positions.firstIndex(of: selected) ?? 0
    let next =
      forward
      ? matches.first { $0 > place } ?? matches.first
      : matches.last { $0 < place } ?? matches.last
    guard let next else {
      notice = .refused("no timer has “\(list.sought)” in it")
      return
    }
    selected = positions[next]
  }

  /// Marks the selected row and goes on to the next, so that several are soon marked.
  private mutating func toggleMark() {
    guard let id = selectedRow?.id else { return refuseWithoutTarget() }
    list.marks.formSymmetricDifference([id])
    moveSelection(by: 1)
  }

  /// Marks all that are seen, or none where they all are marked.
  private mutating func toggleAllMarks() {
    let ids = Set(Arrangement(of: self).positions.map { rows[$0].id })
    list.marks =
      list.marks.isSuperset(of: ids) ? list.marks.subtracting(ids) : list.marks.union(ids)
  }
}

extension RowOrder {
  /// `name`, or `next in, reversed`; for no column `their own order`.
  var text: String {
    (column?.title.lowercased() ?? "their own order") + (isReversed ? ", reversed" : "")
  }
}
