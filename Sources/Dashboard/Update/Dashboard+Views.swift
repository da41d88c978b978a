import TerminalCore
import TimerBoard
import TimerKit

extension Dashboard {
  /// Shows a view, and closes the help and the prompt of the filter.
  mutating func show(_ view: DashboardView) {
    self.view = view
    setHelpOffset(nil)
    if isTypingFilter { overlay = nil }
  }

  /// Performs an action that selects a view, changes the appearance, or turns the bell and the notifications on or off.
  /// Does nothing while a prompt is open.
  mutating func performViewAction(_ action: Action, at now: ClockReading) -> [Effect] {
    guard scope != .prompt else { return [] }
    switch action {
    case .showBoard: show(.board)
    case .showFocus: show(.focus)
    case .showTimeline: show(.timeline)
    case .showLab: show(.lab)
    case .showHistory: show(.history)
    case .showLog: show(.log)
    case .nextView: show(view.advanced(by: 1))
    case .previousView: show(view.advanced(by: -1))
    case .tenths: toggleTenths()
    case .theme: useNextTheme()
    case .digits: digitStyle = digitStyle.next
    case .mute: perform(.mute(!board.isMuted), at: now)
    default: break
    }
    return []
  }

  /// Inserts a text into the open prompt.
  mutating func insert(_ text: String) {
    switch overlay?.prompt {
    case .command?: changeCommandPrompt { $0.insert(text) }
    case .filter?: insertIntoFilter(text)
    case .timers?: changeTimerPrompt { $0.insert(text) }
    case nil: break
    }
  }

  /// Zooms the timeline so that the nearest end of each timer is visible, except those that are so far away that all
  /// others would be in one place. A timer without an end counts only if none has one.
  mutating func fitTimeline(at now: ClockReading) {
    let ends = rows.all.compactMap { $0.timeToEnd(at: now) }
    let timesLeft = (ends.isEmpty ? rows.all.compactMap { $0.timeLeft(at: now) } : ends).sorted()
    let median = timesLeft.isEmpty ? .zero : timesLeft[timesLeft.count / 2]
    let last = timesLeft.last { $0 <= median * 20 }
    let width = TimelineView(Frame(self, at: now)).width
    let cells = width - TimelineView.defaultNowColumn(inWidth: width) - 2
    timeline.fit(last, into: max(1, cells))
  }

  /// The text after the end of the program while timers run: nothing fires until you return. `nil` if none runs, or
  /// if they are not saved.
  package var farewell: String? {
    let count = rows.count(of: .running)
    guard canDetach, count > 0 else { return nil }
    let text = "\(counted(count, "timer")) saved; nothing fires until you return"
    return text + (keyHint(for: .detach, in: .global, "keeps them running").map { "; \($0)" } ?? "")
  }

  mutating func performOnTimeline(_ action: Action, at now: ClockReading) {
    switch action {
    case .zoomIn: timeline.zoom(by: -1)
    case .zoomOut: timeline.zoom(by: 1)
    case .scrollLeft: timeline.scroll(by: max(1, size.width / 8))
    case .scrollRight: timeline.scroll(by: -max(1, size.width / 8))
    case .zoomToFit: fitTimeline(at: now)
    case .cursorEarlier: timeline.moveCursor(by: -1, now: now.suspending)
    case .cursorLater: timeline.moveCursor(by: 1, now: now.suspending)
    case .leave where timeline.cursor != nil: timeline.hideCursor()
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
    case .top: lines = -board.log.entries.count
    case .bottom: lines = board.log.entries.count
    case .filter:
      overlay = .prompt(.filter)
      return
    case .toggleActions:
      logState.showsActions.toggle()
      logState.anchor = nil
      return
    default:
      if logState.filter.isEmpty { show(.board) }
      logState.filter = Filter()
      logState.anchor = nil
      return
    }
    logState.scroll(by: lines, in: board.log, height: page)
  }

  private mutating func useNextTheme() {
    let themes = themes
    let index = themes.firstIndex { $0.name == theme.name } ?? 0
    use(themes[(index + 1) % themes.count])
  }

  mutating func use(_ theme: Theme) {
    guard options.hasColor else {
      notice = .failure("no colors on this terminal; all themes are monochrome")
      return
    }
    self.theme = theme.limited(toColors: options.colorCount)
    notice = .success("theme: \(theme.name)")
  }

  mutating func toggleTenths() {
    displaySteps = DisplaySteps(showsTenths: !displaySteps.showsTenths)
    rowWidths.use(displaySteps, for: rows)
    if rows.count(of: .running) == 1, let due = rows.next?.due { displaySteps.align(to: due) }
  }
}
