import TerminalCore
import TimerBoard
import TimerKit

/// The rows of another process in place of those of the board.
extension Dashboard {
  /// The page that is to be shown.
  var wantedPage: AttachedTimers.PageRequest {
    AttachedTimers.PageRequest(
      offset: top, count: max(1, min(AttachedTimers.pageLimit, ScreenLayout(of: self).rowCount)),
      order: listState.order, filter: listState.filter.text)
  }

  /// A reply of the process: a page, or the result of a control.
  mutating func receive(_ reply: AttachReply, at now: ClockReading) {
    guard let wanted = attached.map({ _ in wantedPage }) else { return }
    let last = attached?.page
    let received = attached?.receive(reply, at: now)
    notice = received?.notice ?? notice
    guard let page = received?.page else { return }
    log(page, after: last, at: now)
    // The selection stays on its timer while that is on the page, unless another page is wanted already.
    let isCurrent = attached?.shown.map { wanted.isServed(by: $0) } ?? false
    isCurrent ? followSelectedTimer() : keepSelectionVisible()
  }

  /// Logs the fires since the previous page.
  private mutating func log(_ page: AttachedPage, after last: AttachedPage?, at now: ClockReading) {
    let before = Dictionary((last?.timers ?? []).map { ($0.id, $0) }, uniquingKeysWith: { $1 })
    for timer in page.timers {
      guard let old = before[timer.id], timer.fired > old.fired else { continue }
      let late = timer.late.map { ", late \(TimeText.lateness(.nanoseconds($0)))" } ?? ""
      let missed = timer.missed > old.missed ? ", \(timer.missed - old.missed) missed" : ""
      let count = timer.fired - old.fired
      let fired = count == 1 ? "fired" : "fired \(count) times"
      perform(.log("\(fired)\(late)\(missed)", label: timer.name), at: now)
    }
  }

  /// Moves among the timers of the process, controls the selected one, and sorts and filters them.
  mutating func performOnProcess(_ action: Action, at now: ClockReading) {
    let page = max(1, ScreenLayout(of: self).rowCount)
    if let count = action.scrollDistance(page: page, length: 1 << 50) {
      return moveSelection(by: count)
    }
    switch action {
    case .left: moveSelection(by: -1)
    case .right: moveSelection(by: 1)
    // The process orders and filters its timers.
    case .filter, .sort, .reverse: if attached?.hasEnded == false { performOnList(action, at: now) }
    case .dismiss:
      listState.filter = .forFilter
      showFirstPage()
    default: control(action)
    }
  }

  private mutating func control(_ action: Action) {
    guard let timer = attached?.timer(at: selected), attached?.hasEnded == false else { return }
    guard attached?.process.allowsControls == true else {
      notice = .failure("controls are off; the program allows them in TimerInspector.start")
      return
    }
    let (requests, result): ([String], String) =
      switch action {
      case .startOrPause where timer.isRunning: (["pause"], "paused")
      case .startOrPause: (["resume"], timer.state == .paused ? "resumed" : "started")
      case .restart: (["reset", "resume"], "restarted")
      case .reset: (["reset"], "reset and stopped")
      default: (["fire"], "fired")
      }
    attached?.control(timer, requests, result: "\(timer.name): \(result)")
  }

  /// Returns the order after the present one. One by lateness begins with the worst.
  func nextOrder(of attached: AttachedTimers) -> RowOrder {
    let columns = AttachedTimers.sortColumns.map(\.column)
    let index = listState.order.column.flatMap(columns.firstIndex).map { $0 + 1 } ?? 0
    let column = columns[index % columns.count]
    return RowOrder(column: column, isReversed: column == .late)
  }

  /// Shows the beginning of another list.
  mutating func showFirstPage() {
    guard attached != nil else { return }
    (selected, top) = (0, 0)
    forgetSelectedTimer()
  }
}

extension AttachedTimer {
  /// Returns true if the kind of the timer has a use for an action of a live timer.
  func allows(_ action: Action) -> Bool {
    switch action {
    case .startOrPause, .restart, .reset: repeats || countsUp
    case .fire: repeats
    default: true
    }
  }
}
