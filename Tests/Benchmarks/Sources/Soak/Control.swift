import TimerKit

/// A control of a timer.
enum Control {
  case start
  case pause
  case reset(interval: Int?, restart: Bool)
  case setInterval(Int, Repeater.IntervalChange)
  case adjust(Int)
  case setRemaining(Int)
  case fire(andPause: Bool)
  case cancel

  init(_ random: inout some RandomNumberGenerator) {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6: self = .start
    case 6..<9: self = .pause
    case 9:
      let interval = Bool.random(using: &random) ? Self.interval(&random) : nil
      self = .reset(interval: interval, restart: Int.random(in: 0..<4, using: &random) > 0)
    case 10..<12:
      let changes: [Repeater.IntervalChange] = [.fromNow, .fromLastFire, .fromNextFire]
      self = .setInterval(Self.interval(&random), changes[Int.random(in: 0..<3, using: &random)])
    case 12..<15:
      self = .adjust(Int.random(in: -2_000_000_000...2_000_000_000, using: &random))
    case 15: self = .setRemaining(Int.random(in: 1...5, using: &random))
    default: self = .fire(andPause: Int.random(in: 0..<4, using: &random) == 0)
    }
  }

  /// Returns an interval from 0.2 s to a minute, with short ones more often.
  static func interval(_ random: inout some RandomNumberGenerator) -> Int {
    let octaves = Double.random(in: 0...8.2, using: &random)
    let nanoseconds = 200_000_000 * (1 << Int(octaves))
    return nanoseconds + Int.random(in: 0...nanoseconds, using: &random)
  }

  /// Performs the control on a timer. All its values are valid.
  func perform(on timer: Repeater) throws -> ControlResult {
    switch self {
    case .start: timer.start()
    case .pause: timer.pause()
    case .reset(let interval?, let restart):
      try timer.reset(interval: .nanoseconds(interval), restart: restart)
    case .reset(nil, let restart): timer.reset(restart: restart)
    case .setInterval(let interval, let change):
      try timer.setInterval(.nanoseconds(interval), change)
    case .adjust(let change): timer.adjustTimeLeft(by: .nanoseconds(change))
    case .setRemaining(let count): try timer.setRemainingIterations(count)
    case .fire(let andPause): timer.fire(andPause: andPause)
    case .cancel: timer.cancel()
    }
  }

  func perform(on model: inout ReferenceTimer, at now: Int) -> ControlResult {
    switch self {
    case .start: model.start(now)
    case .pause: model.pause(now)
    case .reset(let interval, let restart):
      model.reset(interval: interval, restart: restart, now)
    case .setInterval(let interval, let change): model.setInterval(interval, change, now)
    case .adjust(let change): model.adjust(change, now)
    case .setRemaining(let count): model.setRemaining(count)
    case .fire(let andPause): model.fire(andPause: andPause, now)
    case .cancel: model.cancel()
    }
  }
}
