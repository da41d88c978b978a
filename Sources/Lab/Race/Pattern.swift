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
  /// The text of its page.
  let lesson: String
  let make: @Sendable () -> any Owner

  var listing: LabCode {
    LabCode(name, region: region, isCounterexample: isCounterexample)
  }

  static let all: [Pattern] = [
    Pattern(
      name: "deferred call", region: "deferred-call", isCounterexample: true, races: [.replaced],
      lesson: "A deferred call cannot be cancelled: it deletes whichever object it finds.",
      make: DeferredOwner.init),
    Pattern(
      name: "cancellable timer", region: "cancellable-timer", isCounterexample: true,
      lesson: "Cancelling came too late: the handler had begun and stood before the owner's queue,"
        + " where no cancel can reach it. When its turn came, the object was another one.",
      make: CancellingOwner.init),
    Pattern(
      name: "identity check", region: "identity-check", isCounterexample: true,
      races: [.replaced, .rescheduled],
      lesson: "The handler asked whether its timer was still the current one. It was: a timer that"
        + " was given more time is the same timer, and only its fire was old.",
      make: IdentityOwner.init),
    Pattern(
      name: "inverted guard", region: "inverted-guard", isCounterexample: true,
      races: [.rescheduled],
      lesson:
        "The timer was never given more time: the guard returns if there is an object, and must"
        + " return if there is none. No error shows it.",
      make: InvertedGuardOwner.init),
    Pattern(
      name: "generation count", region: "generation-count", isCounterexample: false,
      lesson: "Every control raises a number. The handler had an old one and did nothing.",
      make: GenerationOwner.init),
    Pattern(
      name: "owner's queue", region: "single-queue", isCounterexample: false, firesOnQueue: true,
      lesson: "The timer fires on the owner's own queue: a fire that waits there is taken back by"
        + " the control before it, and no handler is called.",
      make: SingleQueueOwner.init),
    current,
    Pattern(
      name: "TimerKit, same queue", region: "own-queue", isCounterexample: false,
      firesOnQueue: true,
      lesson: "A TimerKit timer on the owner's own queue needs no check: after a control on that"
        + " queue, no handler of the old schedule is called.",
      make: OwnQueueOwner.init),
  ]

  /// The safe code beside that of an unsafe pattern.
  static let current = Pattern(
    name: "TimerKit, isCurrent", region: "current-tick", isCounterexample: false,
    lesson: "TimerKit keeps the generation: on the owner's queue, isCurrent is false for a fire"
      + " that a newer schedule has overtaken.",
    make: CurrentTickOwner.init)
}
