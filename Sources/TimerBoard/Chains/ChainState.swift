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
