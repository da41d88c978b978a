import TimerKit

/// A control of a timer.
enum Control {
  case start
  case pause
  case reset(restart: Bool)
  case restart(every: Int)
  case setInterval(Int, Repeater.IntervalStart)
  case adjust(Int)
  case setRemaining(Int)
  case fire(pausing: Bool)
  case cancel

  init(_ random: inout some RandomNumberGenerator) {
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<6: self = .start
    case 6..<9: self = .pause
    case 9:
      self =
        Bool.random(using: &random)
        ? .restart(every: Self.interval(&random))
        : .reset(restart: Int.random(in: 0..<4, using: &random) > 0)
    case 10..<12:
      let changes: [Repeater.IntervalStart] = [.fromNow, .fromLastFire, .fromNextFire]
      self = .setInterval(Self.interval(&random), changes[Int.random(in: 0..<3, using: &random)])
    case 12..<15:
      self = .adjust(Int.random(in: -2_000_000_000...2_000_000_000, using: &random))
    case 15: self = .setRemaining(Int.random(in: 1...5, using: &random))
    default: self = .fire(pausing: Int.random(in: 0..<4, using: &random) == 0)
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
    case .reset(let restart): restart ? timer.restart() : timer.reset()
    case .restart(let interval): timer.restart(every: .nanoseconds(interval))
    case .setInterval(let interval, let change):
      timer.setInterval(.nanoseconds(interval), counting: change)
    case .adjust(let change): timer.adjustTimeLeft(by: .nanoseconds(change))
    case .setRemaining(let count): timer.setRemainingIterations(count)
    case .fire(let pausing): timer.fire(pausing: pausing)
    case .cancel: timer.cancel()
    }
  }

  func perform(on model: inout ReferenceTimer, at now: Int) -> ControlResult {
    switch self {
    case .start: model.start(now)
    case .pause: model.pause(now)
    case .reset(let restart): model.reset(restart: restart, now)
    case .restart(let interval): model.restart(every: interval, now)
    case .setInterval(let interval, let change): model.setInterval(interval, change, now)
    case .adjust(let change): model.adjust(change, now)
    case .setRemaining(let count): model.setRemaining(count)
    case .fire(let pausing): model.fire(pausing: pausing, now)
    case .cancel: model.cancel()
    }
  }
}
