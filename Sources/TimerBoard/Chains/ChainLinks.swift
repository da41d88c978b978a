import TimerKit

/// The links between the timers of a session that start one another.
extension [SavedTimer] {
  /// For each timer, the positions of those that its `then` starts: none if it names no timer and no group of the
  /// session, `nil` without `then`.
  var successors: [[Int]?] {
    var positions: [String: Int] = [:]
    var groups: [String: [Int]] = [:]
    for (position, timer) in enumerated() {
      if let name = timer.spec.name, positions[name] == nil { positions[name] = position }
      if let group = timer.spec.group { groups[group, default: []].append(position) }
    }
    return map { timer in
      timer.spec.successor.map { name in positions[name].map { [$0] } ?? groups[name] ?? [] }
    }
  }

  /// For each timer, the position of the head of the chain that it runs in.
  var heads: [Int?] {
    let positions = Dictionary(enumerated().map { ($1.id, $0) }) { first, _ in first }
    return map { $0.chain.head.flatMap { positions[$0] } }
  }

  /// The positions of the timers that a board restores: not those that fire once and have finished, unless they have an
  /// alert or are started again by others.
  var restoredPositions: [Int] {
    let kept = indices.filter {
      !(self[$0].spec.fireCount == 1 && self[$0].state == .finished && !self[$0].hasAlert)
    }
    guard kept.count < count else { return kept }
    let (successors, heads) = (successors, heads)
    var found = Set(kept)
    var next = kept
    // A group that many timers start is followed once.
    var followed: Set<String> = []
    while let position = next.popLast() {
      if let head = heads[position], found.insert(head).inserted { next.append(head) }
      guard let name = self[position].spec.successor, followed.insert(name).inserted
      else { continue }
      next += (successors[position] ?? []).filter { found.insert($0).inserted }
    }
    return found.sorted()
  }
}
