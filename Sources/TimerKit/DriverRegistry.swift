import Dispatch

extension AlarmDriver {
  /// The driver of a queue and a system clock: made when it is first asked for, gone with its last
  /// timer.
  ///
  /// The queue itself keeps it, as a queue-specific value: the identity of the Swift object does not
  /// serve, since on Linux `DispatchQueue.main` and `.global()` are a new one at each call.
  static func system(_ clock: ClockKind, queue: DispatchQueue?) -> AlarmDriver {
    guard let queue else { return shared }
    return driver(clock, queue)
  }

  private static func driver(_ clock: ClockKind, _ queue: DispatchQueue) -> AlarmDriver {
    registry.withLock { _ in
      let drivers = queue.getSpecific(key: key) ?? QueueDrivers()
      if let driver = drivers[clock] { return driver }
      queue.setSpecific(key: key, value: drivers)
      let driver = AlarmDriver(system: clock, queue: queue)
      drivers[clock] = driver
      return driver
    }
  }

  /// Whether the caller runs on this driver's queue, or on one that targets it.
  var isOnQueue: Bool {
    DispatchQueue.getSpecific(key: Self.key)?[time.kind] === self
  }

  private static let shared = driver(.uptime, DispatchQueue(label: "TimerKit"))
  private static let registry = Guarded(())
  private static let key = DispatchSpecificKey<QueueDrivers>()
}

/// The drivers of one queue. They hold the queue, so it must not hold them.
private final class QueueDrivers: Sendable {
  private struct Drivers {
    weak var uptime: AlarmDriver?
    weak var boot: AlarmDriver?
    weak var wall: AlarmDriver?
  }

  private let drivers = Guarded(Drivers())

  subscript(clock: ClockKind) -> AlarmDriver? {
    get {
      drivers.withLock {
        switch clock {
        case .uptime: $0.uptime
        case .boot: $0.boot
        case .wall: $0.wall
        }
      }
    }
    set {
      drivers.withLock {
        switch clock {
        case .uptime: $0.uptime = newValue
        case .boot: $0.boot = newValue
        case .wall: $0.wall = newValue
        }
      }
    }
  }
}
