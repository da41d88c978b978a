/// The views, in the order in which "next view" selects them.
enum DashboardView: String, CaseIterable, Hashable, Sendable {
  case board, focus, timeline, lab, history, log

  /// A Boolean value that indicates whether the view shows no timers. The board's filter does not apply to it.
  var showsNoTimers: Bool { self == .lab || self == .history || self == .log }

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
