import TimerBoard

extension Dashboard {
  /// The filter of the view.
  var filterPath: WritableKeyPath<Dashboard, LineEditor> {
    view.filter ?? \Dashboard.listState.filter
  }

  /// Performs an action in the prompt of the filter.
  mutating func performInFilter(_ action: Action) {
    switch action {
    case .accept: prompt = nil
    case .cancel:
      prompt = nil
      self[keyPath: filterPath] = .forFilter
      filterChanged()
    case .previousEntry, .nextEntry:
      if view.hasTimerRows { moveSelection(by: action == .previousEntry ? -1 : 1) }
      listState.selectionToRestore = selectedRow?.id
    default: edit { $0.perform(action) }
    }
  }

  /// Changes the text of the view's filter.
  mutating func editFilter(_ change: (inout LineEditor) -> Void) {
    let before = self[keyPath: filterPath].text
    let old = self[keyPath: filterPath]
    change(&self[keyPath: filterPath])
    // A request to another process has at most 1,024 bytes.
    if attached != nil, self[keyPath: filterPath].text.utf8.count > 900 {
      self[keyPath: filterPath] = old
      self[keyPath: filterPath].refuse()
    }
    if self[keyPath: filterPath].text != before { filterChanged() }
  }

  mutating func setFilter(_ text: String) {
    listState.selectionToRestore = nil
    self[keyPath: filterPath] = .forFilter
    self[keyPath: filterPath].insert(text)
    notice = self[keyPath: filterPath].refusal.map { .failure($0) } ?? notice
    filterChanged()
  }

  /// Selects the row that was selected before the board's filter was changed, or the match after it.
  private mutating func filterChanged() {
    guard view.filter == nil else { return }
    showFirstPage()
    if let origin = listState.selectionToRestore.flatMap({ rows.position(of: $0) }) {
      selected = origin
    }
    if !listState.filter.isEmpty { listState.latestSearch = listState.filter.text }
  }

  mutating func moveSelection(by offset: Int) {
    if let attached {
      selected = max(0, min(selected + offset, attached.matchCount - 1))
      return forgetSelectedTimer()
    }
    let positions = FilteredRows(of: self).positions
    guard !positions.isEmpty else { return }
    let index = positions.firstIndex(of: selected) ?? 0
    selected = positions[min(max(0, index + offset), positions.count - 1)]
  }

  /// Filters, orders and marks rows.
  mutating func performOnList(_ action: Action, at now: ClockReading) {
    switch action {
    case .filter:
      listState.selectionToRestore = selectedRow?.id
      prompt = .filter
    case .nextMatch: goToMatch(forward: true)
    case .previousMatch: goToMatch(forward: false)
    case .sort:
      order(
        by: attached.map { nextOrder(of: $0) }
          ?? listState.order.next(among: Frame(self, at: now).columns))
    case .reverse:
      order(by: RowOrder(column: listState.order.column, isReversed: !listState.order.isReversed))
    case .mark:
      guard let id = selectedRow?.id else { return reportNoTarget() }
      listState.marks.formSymmetricDifference([id])
      // Pressed repeatedly, the key marks several rows.
      moveSelection(by: 1)
    case .markAll: toggleAllMarks()
    default:
      if !listState.filter.isEmpty { listState.filter = .forFilter } else { listState.marks = [] }
    }
  }

  mutating func order(by order: RowOrder) {
    listState.order = order
    showFirstPage()
    notice = .success("sorted by \(order.text)")
  }

  /// Sorts by a column; reverses the order if the rows are sorted by it already.
  mutating func order(by column: TableColumns.Column) {
    let columns = attached == nil ? RowOrder.columns : AttachedTimers.sortColumns.map(\.column)
    guard columns.contains(column) else {
      notice = .failure("rows cannot be sorted by \(column.title.lowercased())")
      return
    }
    order(
      by: RowOrder(
        column: column, isReversed: listState.order.column == column && !listState.order.isReversed)
    )
  }

  /// Selects the next or the previous match of the most recent filter, wrapping around.
  private mutating func goToMatch(forward: Bool) {
    let query = SearchQuery(listState.latestSearch)
    guard !query.isEmpty else {
      let key = keyName(of: .filter, in: .board)
      notice = .failure("no search yet" + (key.isEmpty ? "" : "; press \(key)"))
      return
    }
    let positions = FilteredRows(of: self).positions
    let matches = positions.indices.filter { rows[positions[$0]].matches(query) }
    let current = positions.firstIndex(of: selected) ?? 0
    let next =
      forward
      ? matches.first { $0 > current } ?? matches.first
      : matches.last { $0 < current } ?? matches.last
    guard let next else {
      notice = .failure("no matches for '\(listState.latestSearch)'")
      return
    }
    selected = positions[next]
  }

  /// Marks all shown rows, or unmarks them if all are marked.
  private mutating func toggleAllMarks() {
    let ids = Set(FilteredRows(of: self).positions.map { rows[$0].id })
    listState.marks =
      listState.marks.isSuperset(of: ids)
      ? listState.marks.subtracting(ids) : listState.marks.union(ids)
  }
}

extension RowOrder {
  /// The order in words: `name`, `time, reversed`, or `board order` without a column.
  var text: String {
    (column?.title.lowercased() ?? "board order") + (isReversed ? ", reversed" : "")
  }
}
