import Dashboard

/// A way to connect a timer with the object that it deletes.
struct Pattern: Sendable {
  let name: String
  /// The region of its source code.
  let region: String
  let isCounterexample: Bool
  /// A Boolean value that indicates whether its timer fires on the queue that guards the object.
  var firesOnQueue = false
  /// The races that it can run. Its page shows the last one.
  var races = [Race.rescheduled, .replaced]
  /// The race in which it goes wrong, in words, if it does not in the other one.
  var remark = ""
  /// The text of its page.
  let lesson: String
  let make: @Sendable () -> any Owner

  var listing: LabCode {
    LabCode(name, region: region, isCounterexample: isCounterexample)
  }

  static let all: [Pattern] = [
    Pattern(
      name: "cancel the timer", region: "cancellable-timer", isCounterexample: true,
      lesson: "The cancel came too late: the handler of A's timer had started and waited for the"
        + " queue. When its turn came, it deleted B.",
      make: CancellingOwner.init),
    Pattern(
      name: "deferred call", region: "deferred-call", isCounterexample: true, races: [.replaced],
      lesson: "The delayed call cannot be cancelled: it deletes whichever object it finds.",
      make: DeferredOwner.init),
    Pattern(
      name: "compare timers", region: "identity-check", isCounterexample: true,
      races: [.replaced, .rescheduled], remark: "more time",
      lesson: "The handler asked if its timer was still the stored one. It was: the same timer was"
        + " given more time, and only this fire of it was old.",
      make: IdentityOwner.init),
    Pattern(
      name: "wrong guard", region: "inverted-guard", isCounterexample: true,
      races: [.rescheduled],
      lesson:
        "The timer was never given more time: the guard of an article returns if there is an"
        + " object, and must return if there is none. No error shows it.",
      make: InvertedGuardOwner.init),
    Pattern(
      name: "count changes", region: "generation-count", isCounterexample: false,
      lesson: "Each change raises a number. The handler had the number before, and did nothing.",
      make: GenerationOwner.init),
    Pattern(
      name: "same queue", region: "single-queue", isCounterexample: false, firesOnQueue: true,
      lesson: "The timer fires on the queue that guards the object: the change withdraws a fire"
        + " that waits there, and no handler runs.",
      make: SingleQueueOwner.init),
    current,
    Pattern(
      name: "TimerKit, same queue", region: "own-queue", isCounterexample: false,
      firesOnQueue: true,
      lesson: "A TimerKit timer on the queue that guards the object needs no check: after a change"
        + " on that queue, no handler of an older timer runs.",
      make: OwnQueueOwner.init),
  ]

  /// The safe code beside that of an unsafe pattern.
  static let current = Pattern(
    name: "TimerKit, isCurrent", region: "current-tick", isCounterexample: false,
    lesson: "TimerKit counts the changes: on the queue that guards the object, isCurrent is false"
      + " for a fire from before the last change.",
    make: CurrentTickOwner.init)
}
