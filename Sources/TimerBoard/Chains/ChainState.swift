/// The state of a timer in the chains of a board.
///
/// A chain with a count, such as that of `work=40s then rest x8`, consists of rounds. In each round its head, `work`,
/// starts its successor, and the last timer starts the head again, whether `then` says so or not. After the last round
/// the head is not started any more.
package struct ChainState<ID: Hashable & Sendable>: Hashable, Sendable {
  /// The number of rounds in which this head has finished, since the user or a timer outside its chain last started it.
  package var roundsDone = 0
  /// The number of such rounds since the timer was added; no command resets it.
  package var totalRoundsDone = 0
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
    (state.roundsDone, state.totalRoundsDone, state.isSnoozed) = (
      roundsDone, totalRoundsDone, isSnoozed
    )
    state.head = head.flatMap(transform)
    return state
  }
}

/// As a session stores it, with the positions of timers as their identifiers.
extension ChainState: Encodable, JSONReadable where ID == Int {
  private enum CodingKeys: String, CodingKey {
    case roundsDone, totalRoundsDone, head
    case isSnoozed = "snoozed"
  }

  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "roundsDone": roundsDone = Self.clamped(try reader.value())
      case "totalRoundsDone": totalRoundsDone = Self.clamped(try reader.value())
      case "head": head = try reader.value()
      case "snoozed": isSnoozed = try reader.value()
      default: try reader.skipValue()
      }
    }
  }

  private static func clamped(_ count: Int) -> Int { min(max(0, count), TimerParser.largestCount) }

  package func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    if roundsDone > 0 { try container.encode(roundsDone, forKey: .roundsDone) }
    if totalRoundsDone > 0 { try container.encode(totalRoundsDone, forKey: .totalRoundsDone) }
    try container.encodeIfPresent(head, forKey: .head)
    if isSnoozed { try container.encode(isSnoozed, forKey: .isSnoozed) }
  }
}
