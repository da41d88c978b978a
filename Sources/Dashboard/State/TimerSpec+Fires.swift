import TimerBoard

extension TimerSpec {
  /// A Boolean value that indicates whether a timer that starts has a time at which it fires.
  var hasFireTimes: Bool {
    switch kind {
    case .once, .every, .at, .daily, .cycle: true
    case .stopwatch, .debounce, .throttle, .coalesce, .idle: false
    }
  }
}
