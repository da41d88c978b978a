/// The views, in the order in which one goes through them.
enum Screen: CaseIterable, Hashable, Sendable {
  case board, focus, timeline, lab, log

  /// The one so many places on, round and round.
  func next(_ offset: Int) -> Screen {
    let all = Self.allCases
    let index = (all.firstIndex(of: self) ?? 0) + offset
    return all[(index + all.count) % all.count]
  }
}
