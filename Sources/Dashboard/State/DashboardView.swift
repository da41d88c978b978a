/// The views, in the order in which "next view" selects them.
enum DashboardView: String, CaseIterable, Hashable, Sendable {
  case board, focus, timeline, lab, history, log

  /// A Boolean value that indicates whether the view has rows of timers. The board's filter applies only to such a view.
  var hasTimerRows: Bool { self == .board || self == .focus || self == .timeline }

  /// The action that shows the view.
  var action: Action {
    switch self {
    case .board: .showBoard
    case .focus: .showFocus
    case .timeline: .showTimeline
    case .lab: .showLab
    case .history: .showHistory
    case .log: .showLog
    }
  }

  /// Returns the view that is `offset` places further, wrapping around.
  func advanced(by offset: Int) -> DashboardView {
    let all = Self.allCases
    let index = (all.firstIndex(of: self) ?? 0) + offset
    return all[(index + all.count) % all.count]
  }
}
