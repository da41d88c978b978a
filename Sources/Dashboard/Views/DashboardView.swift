import TerminalCore
import TimerBoard
import TimerKit

/// A view: what it draws, what its keys do, and its texts. Header, footer, mouse, help, palette and layout read it.
///
/// A new view has a file with its value, a line in ``all``, and in `Action.swift` its scope and the action that shows it.
struct DashboardView: Equatable, Sendable {
  /// The views, in the order in which "next view" selects them.
  static let all: [DashboardView] = [.board, .focus, .timeline, .lab, .history, .log]

  /// The scope that receives the keys. Its name is that of the view.
  let scope: Binding.Scope
  /// The key that shows the view, and its action.
  let key: Key
  let action: Action
  let bindings: [Binding]
  /// A Boolean value that indicates whether the view has rows of timers. The board's filter applies only to such a view.
  var hasTimerRows = false
  /// A Boolean value that indicates whether each line of the body is a row of a timer, which a click selects.
  var listsTimers = false
  /// A Boolean value that indicates whether the view shows its keys itself, in place of the footer.
  var showsKeys = false
  /// The view's own filter; `nil` for that of the board.
  var filter: (any WritableKeyPath<Dashboard, LineEditor> & Sendable)?
  /// Takes the lines that only this view has from the body of the layout.
  var place: @Sendable (inout ScreenLayout, Dashboard) -> Void = { _, _ in }
  /// Draws the view, which has a row if ``hasTimerRows``.
  let draw: @Sendable (Frame) -> Void
  /// Returns the instant at which the view can change by itself; `nil` if it cannot.
  var nextChange: @Sendable (Frame) -> TimerClock.Instant? = { _ in nil }
  let perform: @Sendable (inout Dashboard, Action, ClockReading) -> [Effect]
  /// Returns true if an action of the view has an effect.
  var applies: @Sendable (Dashboard, Action) -> Bool = { _, _ in true }
  /// Returns the label of an action in the footer, if it depends on the state of the view.
  var footerLabel: @Sendable (Dashboard, Action) -> String? = { _, _ in nil }
  /// Returns the action of the mouse wheel with modifiers; `nil` to move up or down.
  var wheelAction: @Sendable (_ up: Bool, Key.Modifiers) -> Action? = { _, _ in nil }

  var name: String { scope.rawValue }

  static func == (left: DashboardView, right: DashboardView) -> Bool { left.scope == right.scope }

  /// Returns the view that is `offset` places further, wrapping around.
  func advanced(by offset: Int, among views: [DashboardView]) -> DashboardView {
    guard !views.isEmpty else { return self }
    let index = (views.firstIndex(of: self) ?? 0) + offset
    return views[(index + views.count) % views.count]
  }
}

extension Binding.Scope {
  /// The view whose keys the scope receives; `nil` if it is not that of a view.
  var view: DashboardView? { DashboardView.all.first { $0.scope == self } }
}
