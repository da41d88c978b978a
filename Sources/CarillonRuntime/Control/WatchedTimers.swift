import TimerBoard

/// The timers whose events `carillon ctl watch` prints.
struct WatchedTimers {
  /// The names of timers and groups, and references; empty for all timers.
  private var names: [String]
  /// The names of the timers that are given by references, by their identifiers.
  private var referenced: [Int: String] = [:]

  init(_ names: [String]) {
    self.names = names
  }

  /// Finds the timers in a session.
  /// - Parameter file: The session, as its owner lists it.
  /// - Returns: The timers, in their order in the session.
  mutating func timers(in file: SessionFile) throws -> [SavedTimer] {
    let all = try file.savedTimers()
    guard !names.isEmpty else { return all }
    let ids = file.ids
    var positions: Set<Int> = []
    for name in names {
      let found = all.positions(named: name, ids: ids)
      guard let first = found.first else {
        throw ProgramFailure("ctl: \(Suggestion.unknownTimer(name, of: all.names))")
      }
      positions.formUnion(found)
      if all[first].name != name, let id = TimerID(reference: name), ids[first] == id {
        referenced[id.rawValue] = all[first].name
      }
    }
    return positions.sorted().map { all[$0] }
  }

  /// Returns true if an event belongs to one of the timers.
  func includesTimer(of event: WatchedEvent) -> Bool {
    event.belongs(to: names) || event.id.map { referenced[$0] != nil } ?? false
  }

  /// Gives the timers by their names instead of references, because a new owner has numbered them again.
  mutating func replaceReferences() {
    names += referenced.values
    referenced = [:]
  }
}
