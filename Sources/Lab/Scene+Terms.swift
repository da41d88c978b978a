import Dashboard

/// The words of the scenes that are not everyday words. A scene explains those that it shows.
extension LabPage.Term {
  static let handler = Self("handler", "the code that a timer calls when it fires")
  static let observer = Self(
    "observer", "code that a timer calls at each event, after its handler")
  static let tick = Self("tick", "one fire of a timer that repeats")
  static let grid = Self(
    "grid", "the times at which ticks are due: the start plus 1, 2, 3 … intervals")
  static let modes = Self(
    "once, finite, infinite", "fires one time, a number of times, or until it is cancelled")
  static let debouncer = Self(
    "debouncer", "of many calls in a short time, passes on the first or the last")
  static let throttler = Self(
    "throttler", "acts at most once in an interval, however many calls come")
  static let flush = Self("flush", "writing everything that is pending, in one go")
  static let slot = Self(
    "slot", "the memory for one element; an array with free slots need not be copied to grow")
  static let suspending = Self("suspending clock", "stops while the machine sleeps")
  static let continuous = Self("continuous clock", "counts through sleep")
  static let wall = Self("wall clock", "the time of day, which can be set")
  static let container = Self(
    "published", "the container as printed in an article, for comparison")
  static let lateness = Self(
    "late", "the time from the instant at which a fire was due until it came")
  static let drift = Self("drift", "delays that add up from period to period")
  static let chained = Self("chained", "each wait begins when the one before has ended")
}
