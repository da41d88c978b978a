/// The views, in the order in which "next view" selects them.
enum Screen: CaseIterable, Hashable, Sendable {
  case board, focus, timeline, lab, log

  /// Returns the view that is `offset` places further, wrapping around.
  func next(_ offset: Int) -> Screen {
    let all = Self.allCases
    let index = (all.firstIndex(of: self) ?? 0) + offset
    return all[(index + all.count) % all.count]
  }
}
