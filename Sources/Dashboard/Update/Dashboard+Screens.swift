import TerminalCore

extension Dashboard {
  /// Goes to a view; what lay over the old one is left.
  mutating func show(_ screen: Screen) {
    self.screen = screen
    help = nil
    logView.filter.isTyping = false
    list.filter.isTyping = false
  }

  /// Does what is about looks, and nothing while a text is typed over them.
  mutating func look(_ action: Action) {
    guard scope != .prompt else { return }
    switch action {
    case .showBoard: show(.board)
    case .showFocus: show(.focus)
    case .showTimeline: show(.timeline)
    case .showLab: show(.lab)
    case .showLog: show(.log)
    case .nextView: show(screen.next(1))
    case .previousView: show(screen.next(-1))
    case .tenths: toggleTenths()
    case .theme: useNextTheme()
    case .digits: digitStyle = digitStyle.next
    case .mute:
      isMuted.toggle()
      notice = .done(isMuted ? "muted: no bell, no notifications" : "bell and notifications are on")
    default: break
    }
  }

  /// Takes a text where one is being typed.
  mutating func insert(_ text: String) {
    if command != nil {
      command?.insert(text)
    } else if let filter = typedFilter {
      self[keyPath: filter].editor.insert(text)
      filterChanged()
    } else {
      prompt?.insert(text)
    }
  }

  mutating func performOnTimeline(_ action: Action) {
    switch action {
    case .zoomIn: timeline.zoom(by: -1)
    case .zoomOut: timeline.zoom(by: 1)
    case .scrollLeft: timeline.scroll(by: max(1, size.width / 8))
    case .scrollRight: timeline.scroll(by: -max(1, size.width / 8))
    case .leave where timeline.offset == 0: show(.board)
    default: timeline.scroll(to: 0)
    }
  }

  mutating func performInLog(_ action: Action) {
    let page = max(1, ScreenLayout(of: self).body.height)
    let lines: Int
    switch action {
    case .up: lines = -1
    case .down: lines = 1
    case .pageUp: lines = -page
    case .pageDown: lines = page
    case .top: lines = -log.entries.count
    case .bottom: lines = log.entries.count
    case .filter:
      logView.filter.isTyping = true
      return
    default:
      if logView.filter.isEmpty { show(.board) }
      logView = LogView()
      return
    }
    logView.scroll(by: lines, in: log, height: page)
  }

  private mutating func useNextTheme() {
    let index = themes.firstIndex { $0.name == theme.name } ?? 0
    use(themes[(index + 1) % themes.count])
  }

  mutating func use(_ theme: Theme) {
    guard options.hasColor else {
      notice = .refused("this terminal shows no colours, so all themes look like mono")
      return
    }
    self.theme = theme
    notice = .done("theme: \(theme.name)")
  }

  private mutating func toggleTenths() {
    grid = DisplayGrid(showsTenths: !grid.showsTenths)
    rows.use(grid)
    for row in rows.rows { alignGrid(to: row, was: nil) }
  }
}
