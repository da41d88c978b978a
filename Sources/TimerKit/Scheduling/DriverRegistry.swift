import Dispatch

extension AlarmDriver {
  /// Returns the driver of a queue and a system clock. It is created on first use, and deallocated when it has no timer
  /// and does not linger.
  ///
  /// The queue references it as a queue-specific value. A dictionary keyed by the queue object does not
  /// work, because on Linux `DispatchQueue.main` and `.global()` return a new object at each call.
  static func system(_ clock: TimerClock.Kind, queue: DispatchQueue?) -> AlarmDriver {
    if let queue { return driver(clock, queue) }
    return clock == .suspending ? shared : driver(clock, sharedQueue)
  }

  private static let sharedQueue = DispatchQueue(label: "TimerKit")
  /// The driver that most timers use. It is never deallocated, because they are often created and released.
  private static let shared = {
    let driver = AlarmDriver(.system(.suspending), queue: sharedQueue, isImmortal: true)
    sharedQueue.setSpecific(key: suspendingKey, value: DriverReference(driver))
    return driver
  }()

  /// The queue of the drivers for sleeping tasks, asynchronous sequences and timers with asynchronous operations. No
  /// handler delays them there.
  static let taskQueue = DispatchQueue(label: "TimerKit.sleep")

  /// True if the caller runs on the queue of this driver, or on one that targets it; false on a virtual clock.
  var isCallerOnQueue: Bool {
    queue != nil
      && DispatchQueue.getSpecific(key: Self.key(timeSource.kind))?.refers(to: self) == true
  }

  private static func driver(_ clock: TimerClock.Kind, _ queue: DispatchQueue) -> AlarmDriver {
    let key = key(clock)
    let reference =
      queue.getSpecific(key: key)
      ?? registryLock.withLock { _ in
        if let reference = queue.getSpecific(key: key) { return reference }
        let reference = DriverReference()
        queue.setSpecific(key: key, value: reference)
        return reference
      }
    return reference.driver { AlarmDriver(.system(clock), queue: queue) }
  }

  private static let registryLock = Guarded(())
  private static let suspendingKey = DispatchSpecificKey<DriverReference>()
  private static let continuousKey = DispatchSpecificKey<DriverReference>()
  private static let wallKey = DispatchSpecificKey<DriverReference>()

  private static func key(_ clock: TimerClock.Kind) -> DispatchSpecificKey<DriverReference> {
    switch clock {
    case .suspending: suspendingKey
    case .continuous: continuousKey
    case .wall: wallKey
    }
  }
}

/// The reference of a queue or of a virtual clock to its driver. It is weak, because the driver references those strongly.
///
/// A queue keeps its reference, because replacing a queue-specific value while another thread reads it is not safe.
final class DriverReference: Sendable {
  private let reference: Guarded<WeakReference<AlarmDriver>>

  init(_ driver: AlarmDriver? = nil) {
    reference = Guarded(WeakReference(object: driver))
  }

  func refers(to driver: AlarmDriver) -> Bool {
    reference.withLock { $0.load() === driver }
  }

  /// Returns the driver, or a new one if there is none.
  func driver(orNew makeDriver: () -> AlarmDriver) -> AlarmDriver {
    reference.withLock { reference in
      if let driver = reference.load() { return driver }
      let driver = makeDriver()
      reference.object = driver
      return driver
    }
  }
}
