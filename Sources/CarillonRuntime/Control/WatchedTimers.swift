import TimerBoard

/// The timers whose events `carillon ctl watch` prints.
struct WatchedTimers {
  /// The names of timers and groups, and references; empty for all timers.
  private var names: [String]
  /// The identifiers of the timers that are given by references.
  private var referenced: Set<Int> = []

  init(_ names: [String]) {
    self.names = names
  }

  /// Finds the timers in a session.
  /// - Parameter file: The session, as its owner lists it.
  /// - Returns: The timers, in their order in the session.
  mutating func timers(in file: SessionFile) throws -> [SavedTimer] {
    let all = try file.savedTimers()
    guard !names.isEmpty else { return all }
    var positions: Set<Int> = []
    for name in names {
      let found = all.positions(named: name)
      guard let first = found.first else {
        throw ProgramFailure("ctl: \(Suggestion.unknownTimer(name, of: all.names))")
      }
      positions.formUnion(found)
      if all[first].name != name, let id = TimerID(reference: name), all[first].id == id {
        referenced.insert(id.rawValue)
      }
    }
    return positions.sorted().map { all[$0] }
  }

  /// Returns true if an event belongs to one of the timers.
  func includesTimer(of event: WatchedEvent) -> Bool {
    event.belongs(to: names) || event.id.map { referenced.contains($0) } ?? false
  }
}
