import Dispatch

/// A way to tie a timer to what it is to delete.
struct Pattern: Sendable {
  let name: String
  let isUnsafe: Bool
  var isTimerKit = false
  /// Its timer fires on the queue that guards the child.
  var firesOnQueue = false
  /// It cannot be put off, and needs no gate to go wrong.
  var isDeferred = false
  let source: [UInt8]
  let make: @Sendable (DispatchQueue, RaceLog) -> any Parent

  static let all: [Pattern] = [
    Pattern(
      name: "deferred call", isUnsafe: true, isDeferred: true,
      source: PackageResources.DeferredParent_txt,
      make: DeferredParent.init),
    Pattern(
      name: "cancellable timer", isUnsafe: true, source: PackageResources.CancellableParent_txt,
      make: CancellableParent.init),
    Pattern(
      name: "identity check", isUnsafe: true, source: PackageResources.IdentityParent_txt,
      make: IdentityParent.init),
    Pattern(
      name: "generation count", isUnsafe: false, source: PackageResources.GenerationParent_txt,
      make: GenerationParent.init),
    Pattern(
      name: "single queue", isUnsafe: false, firesOnQueue: true,
      source: PackageResources.SingleQueueParent_txt, make: SingleQueueParent.init),
    Pattern(
      name: "TimerKit, isCurrent", isUnsafe: false, isTimerKit: true,
      source: PackageResources.CurrentTickParent_txt, make: CurrentTickParent.init),
    Pattern(
      name: "TimerKit, own queue", isUnsafe: false, isTimerKit: true, firesOnQueue: true,
      source: PackageResources.OwnQueueParent_txt, make: OwnQueueParent.init),
  ]
}
