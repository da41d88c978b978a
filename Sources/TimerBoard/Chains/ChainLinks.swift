import TimerKit

/// The timers of a session that start one another.
struct ChainLinks {
  enum Target {
    /// The position of a timer.
    case timer(Int)
    /// The index of a group.
    case group(Int)
  }

  /// The target of `then` for each timer; `nil` if it names no timer and no group of the session.
  let targets: [Target?]
  /// The positions of the members of each group.
  let groups: [[Int]]
  /// The position of the head of the chain that each timer runs in.
  let heads: [Int?]

  init(_ saved: [SavedTimer]) {
    let hasHeads = saved.contains { $0.chain.head != nil }
    let known = hasHeads ? saved.enumerated().map { ($1.id, $0) } : []
    let byID = Dictionary(known) { first, _ in first }
    heads = saved.map { $0.chain.head.flatMap { byID[$0] } }
    guard saved.contains(where: { $0.spec.successor != nil }) else {
      targets = saved.map { _ in nil }
      groups = []
      return
    }
    var positions: [String: Int] = [:]
    var groupIndices: [String: Int] = [:]
    var groups: [[Int]] = []
    for (position, timer) in saved.enumerated() {
      if let name = timer.spec.name, positions[name] == nil { positions[name] = position }
      guard let group = timer.spec.group else { continue }
      if let index = groupIndices[group] {
        groups[index].append(position)
      } else {
        groupIndices[group] = groups.count
        groups.append([position])
      }
    }
    targets = saved.map { timer in
      guard let name = timer.spec.successor else { return nil }
      if let position = positions[name] { return .timer(position) }
      return groupIndices[name].map { .group($0) }
    }
    self.groups = groups
  }

  /// Returns the positions of the timers that those at `positions` start, directly or through others.
  func followers(of positions: [Int]) -> Set<Int> {
    var found: Set<Int> = []
    var foundGroups: Set<Int> = []
    var next = positions
    while let position = next.popLast() {
      if let head = heads[position], found.insert(head).inserted { next.append(head) }
      switch targets[position] {
      case .timer(let target)?: if found.insert(target).inserted { next.append(target) }
      case .group(let index)?:
        guard foundGroups.insert(index).inserted else { continue }
        next += groups[index].filter { found.insert($0).inserted }
      case nil: break
      }
    }
    return found
  }

  /// The chains of the session: for each, the positions of timers that start no timers but one another. At least one of
  /// them starts another, or itself.
  var chains: [[Int]] {
    // Groups are nodes of their own after the timers, so that the number of links is at most linear.
    var neighbors: [Int: [Int]] = [:]
    func link(_ first: Int, _ second: Int) {
      neighbors[first, default: []].append(second)
      neighbors[second, default: []].append(first)
    }
    var linkedGroups: Set<Int> = []
    for position in targets.indices {
      if let head = heads[position] { link(position, head) }
      switch targets[position] {
      case .timer(let target)?: link(position, target)
      case .group(let index)?:
        link(position, targets.count + index)
        guard linkedGroups.insert(index).inserted else { continue }
        for member in groups[index] { link(member, targets.count + index) }
      case nil: break
      }
    }
    var seen: Set<Int> = []
    return neighbors.keys.sorted().compactMap { first in
      guard seen.insert(first).inserted else { return nil }
      var chain = [first]
      var next = 0
      while next < chain.count {
        for other in neighbors[chain[next]] ?? [] where seen.insert(other).inserted {
          chain.append(other)
        }
        next += 1
      }
      return chain.filter { $0 < targets.count }.sorted()
    }
  }
}

extension [SavedTimer] {
  /// The positions of the timers that a board restores: not those that fire once and have finished, unless they have an
  /// alert or are started again by others.
  var restoredPositions: [Int] {
    let kept = indices.filter {
      !(self[$0].spec.fireCount == 1 && self[$0].state == .finished && !self[$0].hasAlert)
    }
    guard kept.count < count else { return kept }
    return Set(kept).union(ChainLinks(self).followers(of: kept)).sorted()
  }
}
