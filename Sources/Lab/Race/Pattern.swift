import Dispatch

/// A way to connect a timer with the child that it deletes.
struct Pattern: Sendable {
  let name: String
  /// The region of its source code.
  let region: String
  let isCounterexample: Bool
  var isTimerKit = false
  /// A Boolean value that indicates whether its timer fires on the queue that guards the child.
  var firesOnQueue = false
  /// A Boolean value that indicates whether it cannot be rescheduled. Such a pattern deletes the
  /// wrong child without a blocked queue.
  var isDeferred = false
  let make: @Sendable (DispatchQueue, RaceLog) -> any Parent

  var listing: SourceListing {
    SourceListing(name, region: region, isCounterexample: isCounterexample)
  }

  static let all: [Pattern] = [
    Pattern(
      name: "deferred call", region: "deferred-call", isCounterexample: true, isDeferred: true,
      make: DeferredParent.init),
    Pattern(
      name: "cancellable timer", region: "cancellable-timer", isCounterexample: true,
      make: CancellableParent.init),
    Pattern(
      name: "identity check", region: "identity-check", isCounterexample: true,
      make: IdentityParent.init),
    Pattern(
      name: "generation count", region: "generation-count", isCounterexample: false,
      make: GenerationParent.init),
    Pattern(
      name: "parent's queue", region: "single-queue", isCounterexample: false, firesOnQueue: true,
      make: SingleQueueParent.init),
    Pattern(
      name: "TimerKit, isCurrent", region: "current-tick", isCounterexample: false,
      isTimerKit: true,
      make: CurrentTickParent.init),
    Pattern(
      name: "TimerKit, same queue", region: "own-queue", isCounterexample: false,
      isTimerKit: true,
      firesOnQueue: true, make: OwnQueueParent.init),
  ]
}
