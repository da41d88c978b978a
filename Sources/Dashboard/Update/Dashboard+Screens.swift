extension Dashboard {
  /// Goes to a view; what lay over the old one is left.
  mutating func show(_ screen: Screen) {
    self.screen = screen
    help = nil
  }

  /// Does what is about looks, and nothing while a text is typed over them.
  mutating func look(_ action: Action) {
    guard prompt == nil else { return }
    switch action {
    case .showBoard: show(.board)
    case .showFocus: show(.focus)
    case .nextView: show(screen.next(1))
    case .previousView: show(screen.next(-1))
    case .toggleTenths: toggleTenths()
    case .nextDigits: digitStyle = digitStyle.next
    default: break
    }
  }

  private mutating func toggleTenths() {
    grid = DisplayGrid(showsTenths: !grid.showsTenths)
    rows.use(grid)
    for row in rows.rows { alignGrid(to: row, was: nil) }
  }
}
