import Dispatch

extension AlarmDriver {
  /// The driver of a queue and a system clock: made when it is first asked for, gone with its last
  /// timer.
  ///
  /// The queue itself keeps it, as a queue-specific value: the identity of the Swift object does not
  /// serve, since on Linux `DispatchQueue.main` and `.global()` are a new one at each call.
  static func system(_ clock: TimerClock.Kind, queue: DispatchQueue?) -> AlarmDriver {
    if let queue { return driver(clock, queue) }
    return clock == .suspending ? shared : driver(clock, sharedQueue)
  }

  /// True if the caller runs on this driver's queue, or on one that targets it.
  var isOnQueue: Bool {
    DispatchQueue.getSpecific(key: presence) != nil
  }

  private static let sharedQueue = DispatchQueue(label: "TimerKit")
  /// Kept for good: it is what most timers use, and come and go with.
  private static let shared = {
    let driver = AlarmDriver(system: .suspending, queue: sharedQueue, isImmortal: true)
    sharedQueue.setSpecific(key: suspendingKey, value: .immortal(driver))
    sharedQueue.setSpecific(key: driver.presence, value: ())
    return driver
  }()

  /// The driver of the sleeps on a clock: on a queue of their own, so that no handler delays them.
  static func sleeping(_ clock: TimerClock.Kind) -> AlarmDriver { driver(clock, sleepQueue) }

  private static let sleepQueue = DispatchQueue(label: "TimerKit.sleep")

  private static func driver(_ clock: TimerClock.Kind, _ queue: DispatchQueue) -> AlarmDriver {
    registry.withLock { _ in
      let key = key(clock)
      if let driver = queue.getSpecific(key: key)?.driver { return driver }
      let driver = AlarmDriver(system: clock, queue: queue)
      queue.setSpecific(key: key, value: .weakly(WeakDriver(driver)))
      queue.setSpecific(key: driver.presence, value: ())
      return driver
    }
  }

  private static let registry = Guarded(())
  private static let suspendingKey = DispatchSpecificKey<Registration>()
  private static let continuousKey = DispatchSpecificKey<Registration>()
  private static let wallKey = DispatchSpecificKey<Registration>()

  private static func key(_ clock: TimerClock.Kind) -> DispatchSpecificKey<Registration> {
    switch clock {
    case .suspending: suspendingKey
    case .continuous: continuousKey
    case .wall: wallKey
    }
  }
}

/// The reference of a queue to its driver. The driver holds the queue, so the queue must not hold it.
private enum Registration: Sendable {
  case weakly(WeakDriver)
  case immortal(AlarmDriver)

  var driver: AlarmDriver? {
    switch self {
    case .weakly(let reference): reference.driver
    case .immortal(let driver): driver
    }
  }
}

private final class WeakDriver: Sendable {
  weak let driver: AlarmDriver?

  init(_ driver: AlarmDriver) {
    self.driver = driver
  }
}
