import TimerKit

/// Timers that start one another.
extension Board {
  /// Returns the timers that a timer starts when it finishes; `nil` if it has no `then`.
  private func successors(of id: TimerID) -> [TimerID]? {
    timers[id]?.successor.map { timers.ids(named: $0) }
  }

  /// The state of a timer in chains. Setting it for a timer that does not exist has no effect.
  subscript(chain id: TimerID) -> ChainState {
    get { timers[id]?.chain ?? ChainState() }
    set {
      guard let position = timers.position(of: id) else { return }
      timers.change(at: position) { $0.setChain(newValue) }
    }
  }

  /// Starts the successors of a timer that has finished, or the head of its chain. They restart in any state, or are
  /// triggered if they wait for triggers. With `wait`, they stand ready instead.
  /// - Parameter passage: ``Passage/unattended`` if the run has ended while no process ran the timers: then nothing is
  ///   logged or triggered.
  /// - Returns: The timers that were started, and those that stand ready.
  @discardableResult
  mutating func startSuccessors(
    of timer: BoardTimer, _ passage: Passage = .live, at now: ClockReading
  ) -> (started: [TimerID], ready: [TimerID]) {
    if passage == .live, let name = timer.successor, !timers.contains(named: name),
      !timer.chain.isSnoozed
    {
      let problem = "no timer or group '\(name)' to start"
      log.add(.problem(problem), label: timer.label, at: now)
    }
    var started: [TimerID] = []
    var ready: [TimerID] = []
    for id in recordRunEnd(of: timer.id) {
      guard let position = timers.position(of: id) else { continue }
      if id != timer.chain.head { timers.change(at: position) { $0.countStartByOther() } }
      let target = timers[position]
      // `wait` of a head applies to its next round too, which the last timer of the chain starts.
      if timer.successor == nil ? target.waits : timer.waits,
        waitForStart(ofTimerAt: position, at: now)
      {
        ready.append(id)
      } else {
        started.append(id)
      }
      guard passage == .live else { continue }
      let text = ready.last == id ? "ready after" : "started by"
      log.add(.message("\(text) \(timer.label)"), label: target.label, at: now)
    }
    if passage == .live, !started.isEmpty {
      for id in started { timers.holdStarted(id) }
      control(.startAsSuccessor, started, .consequence, at: now)
    }
    return (started, ready)
  }

  /// Records the end of a run.
  /// - Returns: The timers to start: the successors, or a head whose next round begins.
  private mutating func recordRunEnd(of id: TimerID) -> [TimerID] {
    var state = self[chain: id]
    guard !state.isSnoozed else {
      self[chain: id].isSnoozed = false
      return []
    }
    let outer = state.head
    let count = timers[id]?.chainCount
    let isComplete = count.map { state.roundsDone >= $0 } ?? false
    if count == nil || isComplete {
      state.head = nil
    } else {
      state.roundsDone += 1
      state.totalRoundsDone += 1
    }
    if state != self[chain: id] { self[chain: id] = state }
    let head = count == nil ? outer : id
    guard !isComplete, let successors = successors(of: id) else {
      return nextRound(of: isComplete ? outer : head).map { [$0] } ?? []
    }
    return successors.compactMap { enter($0, inChainOf: head) }
  }

  /// Adds a run of a successor to a chain.
  /// - Returns: The timer to start, which can be the head of an outer chain; `nil` if no round begins.
  private mutating func enter(_ id: TimerID, inChainOf head: TimerID?) -> TimerID? {
    if let head, leads(from: head, backTo: id) {
      // A chain that leads back to an outer head ends.
      var inner = head
      while inner != id, let outer = self[chain: inner].head {
        self[chain: inner].head = nil
        inner = outer
      }
      return nextRound(of: id)
    }
    var state = self[chain: id]
    state.begin(leavesChain: true)
    if timers[id]?.spec.fireCount != nil { state.head = head }
    if state != self[chain: id] { self[chain: id] = state }
    return id
  }

  /// Returns true if `id` is `head`, or the head of an outer chain.
  private func leads(from head: TimerID, backTo id: TimerID) -> Bool {
    var next: TimerID? = head
    // A file can contain a loop of heads.
    for _ in 0..<64 {
      guard let current = next else { return false }
      if current == id { return true }
      next = self[chain: current].head
    }
    return false
  }

  /// Returns the head whose next round begins: `head`, or after its last round that of the outer chain. Returns `nil`
  /// while a timer runs in the chain.
  private mutating func nextRound(of head: TimerID?) -> TimerID? {
    var next = head
    while let head = next {
      let state = self[chain: head]
      guard timers.runCount(inChainOf: head) == 0,
        state.isSnoozed || timers[head]?.state == .finished
      else { return nil }
      if let count = timers[head]?.chainCount, state.roundsDone < count {
        self[chain: head].isSnoozed = false
        return head
      }
      self[chain: head].head = nil
      next = state.head
    }
    return nil
  }
}

/// The state of a timer in the chains of a board.
///
/// A chain with a count, such as that of `work=40s then rest x8`, consists of rounds. In each round its head, `work`,
/// starts its successor, and the last timer starts the head again, whether `then` says so or not. After the last round
/// the head is not started any more.
package struct ChainState: JSONFields, Hashable, Sendable {
  /// The number of rounds in which this head has finished, since the user or a timer outside its chain last started it.
  package var roundsDone = 0
  /// The number of such rounds since the timer was added; no command resets it.
  package var totalRoundsDone = 0
  /// The head of the chain that the current run belongs to; `nil` if it belongs to none with a count.
  package var head: TimerID?
  /// A Boolean value that indicates whether the current run is a snooze. Its end starts no successor, because the end
  /// before it has done so.
  package var isSnoozed = false

  package init() {}

  /// Resets the rounds and the snooze for a new run.
  /// - Parameter leavesChain: True if the run no longer belongs to a chain.
  mutating func begin(leavesChain: Bool) {
    roundsDone = 0
    isSnoozed = false
    if leavesChain { head = nil }
  }

  package mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure) {
    try field("roundsDone", &roundsDone, default: 0)
    try field("totalRoundsDone", &totalRoundsDone, default: 0)
    try field("head", &head)
    try field("snoozed", &isSnoozed, default: false)
    roundsDone = min(max(0, roundsDone), TimerParser.largestCount)
    totalRoundsDone = min(max(0, totalRoundsDone), TimerParser.largestCount)
  }
}
