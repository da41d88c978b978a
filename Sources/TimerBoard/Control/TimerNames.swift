/// The names by which a command refers to timers: that of a timer or, without one, its kind and settings; a reference
/// such as `#3`; or the name of a group. Each precedes the following ones.
package struct TimerNames {
  private var positions: [String: [Int]] = [:]
  private var positionsByID: [TimerID: Int] = [:]
  private var positionsByGroup: [String: [Int]] = [:]
  private var titles: [String] = []

  /// - Parameter timers: The timers in their order, each with its identifier if it has one.
  package init(_ timers: some Sequence<(spec: TimerSpec, id: TimerID?)>) {
    for (position, timer) in timers.enumerated() {
      let title = timer.spec.title
      titles.append(title)
      positions[title, default: []].append(position)
      if let id = timer.id { positionsByID[id] = position }
      if let group = timer.spec.group { positionsByGroup[group, default: []].append(position) }
    }
  }

  /// Returns the positions of the timers of a name, in their order.
  package func positions(of name: String) throws(ControlRefusal) -> [Int] {
    if let named = positions[name] { return named }
    if let id = TimerID(reference: name), let position = positionsByID[id] { return [position] }
    if let group = positionsByGroup[name] { return group }
    throw ControlRefusal(Suggestion.unknownTimer(name, of: titles + positionsByGroup.keys.sorted()))
  }
}
