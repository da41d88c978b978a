/// The state of a timer in the chains of a board.
///
/// A chain with a count, such as that of `work=40s then rest x8`, consists of rounds. In each round its head, `work`,
/// starts its successor, and the last timer starts the head again, whether `then` says so or not. After the last round
/// the head is not started any more.
package struct ChainState<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The number of rounds in which this head has finished, since the user or a timer outside its chain last started it.
  package var roundsDone = 0
  /// The number of such rounds since the timer was added; no command resets it.
  package var allRoundsDone = 0
  /// The head of the chain that the current run belongs to; `nil` if it belongs to none with a count.
  package var head: ID?
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

  /// Returns the state with another identifier of the head.
  func mapHead<Other>(_ transform: (ID) -> Other?) -> ChainState<Other> {
    var state = ChainState<Other>()
    (state.roundsDone, state.allRoundsDone, state.isSnoozed) = (
      roundsDone, allRoundsDone, isSnoozed
    )
    state.head = head.flatMap(transform)
    return state
  }
}

/// As a session stores it, with the positions of timers as their identifiers.
extension ChainState: Codable where ID == Int {
  private enum CodingKeys: String, CodingKey {
    case roundsDone, allRoundsDone, head
    case isSnoozed = "snoozed"
  }

  package init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func count(_ key: CodingKeys) throws -> Int {
      min(
        max(0, try container.decodeIfPresent(Int.self, forKey: key) ?? 0), TimerParser.largestCount)
    }
    roundsDone = try count(.roundsDone)
    allRoundsDone = try count(.allRoundsDone)
    head = try container.decodeIfPresent(Int.self, forKey: .head)
    isSnoozed = try container.decodeIfPresent(Bool.self, forKey: .isSnoozed) ?? false
  }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if roundsDone > 0 { try container.encode(roundsDone, forKey: .roundsDone) }
    if allRoundsDone > 0 { try container.encode(allRoundsDone, forKey: .allRoundsDone) }
    try container.encodeIfPresent(head, forKey: .head)
    if isSnoozed { try container.encode(isSnoozed, forKey: .isSnoozed) }
  }
}
