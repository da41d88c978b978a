import TimerBoard

/// A setting of the dashboard that keys change and that is saved with the session.
package enum DashboardSetting: String, CaseIterable, Hashable, Sendable {
  case theme, digits, tenths, order, reversed, mute
  /// A Boolean value that indicates whether the log shows the actions of the user.
  case logActions = "actions"
}

extension Dashboard {
  /// The value of each setting, without those that this terminal does not allow to be changed.
  package var settings: [DashboardSetting: String] {
    var values: [DashboardSetting: String] = [
      .digits: digitStyle.rawValue, .tenths: "\(displaySteps.showsTenths)",
      .order: listState.order.name, .reversed: "\(listState.order.isReversed)",
      .mute: "\(board.isMuted)",
      .logActions: "\(logState.showsActions)",
    ]
    if options.hasColor { values[.theme] = theme.name }
    return values
  }

  /// Sets settings. A value that does not exist any more, such as a removed theme, is ignored.
  package mutating func use(_ settings: [DashboardSetting: String]) {
    if options.hasColor, let name = settings[.theme],
      let theme = themes.first(where: { $0.name == name })
    {
      self.theme = theme.limited(toColors: options.colorCount)
    }
    if let style = settings[.digits].flatMap(DigitStyle.init) { digitStyle = style }
    if let tenths = settings[.tenths].flatMap({ Bool($0) }), tenths != displaySteps.showsTenths {
      toggleTenths()
    }
    if let order = settings[.order].flatMap(RowOrder.init(named:)) { listState.order = order }
    if let isReversed = settings[.reversed].flatMap({ Bool($0) }) {
      listState.order.isReversed = isReversed
    }
    if let showsActions = settings[.logActions].flatMap({ Bool($0) }) {
      logState.showsActions = showsActions
    }
    if let isMuted = settings[.mute].flatMap({ Bool($0) }) { model.setMuted(isMuted) }
  }
}
