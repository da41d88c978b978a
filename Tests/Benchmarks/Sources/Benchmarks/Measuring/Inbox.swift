import Dispatch
import Synchronization

/// Receives the deliveries of debouncers and throttlers.
final class Inbox: Sendable {
  private let state = Mutex((count: 0, last: 0))
  /// Complete with the first delivery.
  let arrival = Tally(timers: 1)

  func deliver(_ value: Int) {
    let count = state.withLock { state in
      state = (state.count + 1, value)
      return state.count
    }
    if count == 1 { arrival.add(0) }
  }

  var deliveries: (count: Int, last: Int) { state.withLock { $0 } }
}
