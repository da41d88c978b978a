import TimerKit

extension Board: ChainMembers {
  func successors(of id: TimerID) -> [TimerID]? {
    timers[id]?.successor.map { timers.ids(named: $0) }
  }

  func chainCount(of id: TimerID) -> Int? { timers[id]?.chainCount }

  func hasEnd(_ id: TimerID) -> Bool { timers[id]?.spec.fireCount != nil }

  func hasFinished(_ id: TimerID) -> Bool { timers[id]?.status.state == .finished }

  func runCount(inChainOf head: TimerID) -> Int { timers.runCount(inChainOf: head) }

  subscript(chain id: TimerID) -> ChainState {
    get { timers[id]?.chain ?? ChainState() }
    set {
      guard let position = timers.position(of: id) else { return }
      timers.change(at: position) { $0.setChain(newValue) }
    }
  }

  /// Returns the effects that start the successors of a timer that has finished, or the head of its chain. They restart
  /// in any state, or are triggered if they wait for triggers. With `wait`, they stand ready instead.
  /// - Parameter isManual: True if a key has ended the run: an undo of it takes back the starts, too.
  mutating func startSuccessors(
    of timer: BoardTimer, isManual: Bool, at now: ClockReading
  ) -> [Effect] {
    let candidates =
      isManual ? (successors(of: timer.id) ?? []) + [timer.chain.head ?? timer.id] : []
    addToUndoStep(candidates.compactMap { timers[$0] }, startedBy: timer.id, at: now)
    if let name = timer.successor, !timers.contains(named: name), !timer.chain.isSnoozed {
      let problem = "no timer or group '\(name)' to start"
      log.add(.problem(problem), label: timer.label, at: now)
    }
    var effects: [Effect] = []
    var started: [TimerID] = []
    for id in recordRunEnd(of: timer.id) {
      guard let position = timers.position(of: id) else { continue }
      if id != timer.chain.head { timers.change(at: position) { $0.startsByOthers += 1 } }
      let target = timers[position]
      // `wait` of a head applies to its next round too, which the last timer of the chain starts.
      if timer.successor == nil ? target.waits : timer.waits,
        let effect = waitForStart(ofTimerAt: position, at: now)
      {
        log.add(.message("ready after \(timer.label)"), label: target.label, at: now)
        effects.append(effect)
      } else {
        log.add(.message("started by \(timer.label)"), label: target.label, at: now)
        started.append(id)
      }
    }
    if !started.isEmpty { effects.append(.control(.startAsSuccessor, started, .consequence)) }
    return effects
  }

  /// Restores the chain state that a timer had before an action that is undone, and adds the rounds since.
  /// - Parameter revokingRound: True if the action itself may have ended one of them.
  mutating func restoreChain(of before: BoardTimer, revokingRound: Bool) {
    let current = self[chain: before.id]
    var chain = before.chain
    let rounds = current.totalRoundsDone - chain.totalRoundsDone
    chain.roundsDone += max(0, revokingRound ? rounds - 1 : rounds)
    chain.totalRoundsDone = current.totalRoundsDone
    self[chain: before.id] = chain
  }
}
