package import TimerBoard

/// A setting of the dashboard that keys change and that is saved with the session.
package enum DashboardSetting: String, CaseIterable, Hashable, Sendable {
  case theme, layout, tenths, lateness, order, reversed, mute, hints
  /// A Boolean value that indicates whether the log shows the actions of the user.
  case logActions = "actions"

  /// The setting as a text; `nil` if this terminal does not allow it to be changed. A text without a meaning, such as the
  /// name of a removed theme, changes nothing.
  fileprivate var text: WritableKeyPath<Dashboard, String?> {
    switch self {
    case .theme: \.themeName
    case .layout: \.boardLayout.saved
    case .tenths: \.showsTenths.saved
    case .lateness: \.showsLateness.saved
    case .order: \.listState.order.saved
    case .reversed: \.listState.order.isReversed.saved
    case .mute: \.isMuted.saved
    case .hints: \.firstMinute.hintsOver.saved
    case .logActions: \.logState.showsActions.saved
    }
  }
}

extension Dashboard {
  /// Returns the value of each setting, without those that this terminal does not allow to be changed.
  package func settings(of board: Board) -> [DashboardSetting: String] {
    var dashboard = self
    dashboard.board = board
    return DashboardSetting.allCases.reduce(into: [:]) { $0[$1] = dashboard[keyPath: $1.text] }
  }

  /// Sets settings.
  package mutating func use(
    _ settings: [DashboardSetting: String], on board: inout Board, at now: ClockReading
  ) {
    _ = lend(&board, at: now) { dashboard in
      // In order: a sort column resets the direction.
      for setting in DashboardSetting.allCases {
        if let text = settings[setting] { dashboard[keyPath: setting.text] = text }
      }
    }
  }

  fileprivate var themeName: String? {
    get { options.hasColor ? theme.name : nil }
    set {
      guard options.hasColor, let theme = themes.first(where: { $0.name == newValue }) else {
        return
      }
      self.theme = theme.limited(toColors: options.colorCount)
    }
  }

  fileprivate var isMuted: Bool {
    get { board.isMuted }
    set { board.isMuted = newValue }
  }

  var showsTenths: Bool {
    get { displaySteps.showsTenths }
    set {
      guard newValue != showsTenths else { return }
      displaySteps = DisplaySteps(showsTenths: newValue)
      rowMetrics.measure(rows, displaySteps)
      alignDisplaySteps()
    }
  }
}

extension LosslessStringConvertible {
  fileprivate var saved: String? {
    get { description }
    set { self = newValue.flatMap { Self($0) } ?? self }
  }
}
