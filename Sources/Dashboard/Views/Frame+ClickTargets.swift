import TerminalCore
import TimerBoard

extension Frame {
  /// The target of a click.
  enum ClickTarget: Hashable {
    /// A row, by its position in the board's own order.
    case row(Int)
    case column(TableColumns.Column)
    /// A key in the footer, or of a view in the header.
    case key(Key)
    /// A match of the command palette.
    case match(Int)
  }

  /// Returns the target of a click at a point.
  func clickTarget(at point: Point) -> ClickTarget? {
    if let area = layout.header, area.contains(point) {
      // In a prompt, the keys of the views type text.
      guard !dashboard.isTyping else { return nil }
      return header?.tabs.lazy.compactMap { $0.key(at: point.x, symbols) }.first.map { .key($0) }
    }
    if let footer = layout.footer, footer.contains(point) {
      return footerEntries(in: footer).lazy.compactMap { $0.key(at: point.x, symbols) }.first
        .map { .key($0) }
    }
    if let view = paletteView {
      if let match = view.match(at: point) { return .match(match) }
      if view.area.contains(point) { return nil }
    }
    guard dashboard.helpOffset == nil, !layout.isSingleRow else { return nil }
    if let titles = layout.titles, titles.contains(point) {
      // The gap after a column belongs to it.
      return columns.placed.last { $0.x <= point.x && $0.column != .mark }.map {
        .column($0.column)
      }
    }
    guard dashboard.view.listsTimers, !dashboard.listState.hidesAll, layout.body.contains(point)
    else { return nil }
    if let wall = layout.wall {
      return visible.indices.first { wall.card(at: $0 - visible.startIndex).contains(point) }
        .map { .row(visible[$0]) }
    }
    return visible.dropFirst((point.y - layout.body.y) / layout.rowHeight).first.map { .row($0) }
  }
}
