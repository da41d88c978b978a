import TerminalCore
import TimerBoard
import TimerKit

/// The row of a timer of another process.
extension Row {
  /// - Parameter pageTime: The instant at which the page of the timer came.
  init(of timer: AttachedTimer, since pageTime: ClockReading, in context: RowContext) {
    let due = timer.left.map { pageTime.suspending.advanced(by: .nanoseconds($0)) }
    id = timer.timerID
    label = timer.name
    kind =
      timer.kind + (timer.interval.map { " \(DurationText.text(.nanoseconds($0)))" } ?? "")
    links = Links(name: timer.label.isEmpty ? nil : timer.label)
    time = Time(of: timer, due: due, in: context)
    state = State(of: timer, isUrgent: time.isUrgent, context.symbols)
    iterations =
      timer.remaining.map {
        .counted(left: Int(clamping: $0), of: Int(clamping: max($0, timer.iterations ?? $0)))
      } ?? (timer.repeats ? .endless : .none)
    progress = Progress(of: timer, due: due, isUrgent: time.isUrgent, in: context)
    plan = Plan(text: "")
    events = Events(of: timer, due: due, since: pageTime)
    delivery = Delivery(
      lateness: timer.late.map { .nanoseconds($0) }, missed: timer.missed, stale: timer.stale,
      queue: timer.queue, place: timer.place)
    let isMoving = timer.isRunning && due.map { $0 >= context.stepStart } ?? false
    nextChange = isMoving ? context.nextStep : nil
  }
}

extension Row.Time {
  fileprivate init(of timer: AttachedTimer, due: TimerClock.Instant?, in context: RowContext) {
    // The time of one that was not started is its interval.
    let fixed = timer.left ?? (timer.state == .idle && timer.repeats ? timer.interval : nil)
    let now = context.now.suspending
    let left = timer.isRunning ? due.map { now.duration(to: $0).clampedNanoseconds } : fixed
    // Most timers of programs have short times.
    let isShort = left.map { $0 < 10_000_000_000 } ?? false
    let steps = DisplaySteps(showsTenths: isShort)
    units =
      timer.isRunning
      ? due.map { steps.units(until: $0, from: steps.stepStart(of: now)) }
      : fixed.map { steps.units(in: .nanoseconds($0)) }
    meaning = units == nil ? .none : .left
    widestUnits = units ?? 0
    showsTenths = isShort
    isUrgent = timer.state == .running && isShort && timer.interval ?? 0 >= 30_000_000_000
    role =
      isUrgent ? .urgent : timer.isRunning ? .time : timer.state == .paused ? .paused : .faint
  }
}

extension Row.State {
  fileprivate init(of timer: AttachedTimer, isUrgent: Bool, _ symbols: Symbols) {
    self.timer = timer.state
    base = Role(timer.state)
    running = timer.countsUp ? .elapsed : .running
    role = isUrgent ? .urgent : base == .running ? running : base
    symbol = isUrgent ? symbols.alert : symbols[base]
    // The words of the own board.
    word =
      switch timer.state {
      case .idle: timer.repeats || timer.countsUp ? "new" : "ready"
      case .running: timer.isPending ? "pending" : timer.countsUp ? "counts up" : "runs"
      case .finished: "done"
      case .paused, .cancelled: "\(base)"
      }
  }
}

extension Row.Progress {
  fileprivate init?(
    of timer: AttachedTimer, due: TimerClock.Instant?, isUrgent: Bool, in context: RowContext
  ) {
    guard let interval = timer.interval, interval > 0 else { return nil }
    let left =
      timer.isRunning
      ? due.map { context.now.suspending.duration(to: $0).clampedNanoseconds } : timer.left
    let part = 1 - Double(left ?? interval) / Double(interval)
    switch timer.state {
    case .finished, .cancelled: self = .bar(1, .finishedBar)
    case .running: self = .bar(part, isUrgent ? .urgent : .bar)
    case .paused, .idle: self = .bar(part, .pausedBar)
    }
  }
}

extension Row.Events {
  /// The fires that the time left and the interval give. Nothing is known of those before the page.
  fileprivate init(of timer: AttachedTimer, due: TimerClock.Instant?, since pageTime: ClockReading)
  {
    guard timer.isRunning else {
      isPaused = timer.state == .paused
      return
    }
    self.due = due?.nanoseconds
    (countsUp, isCounting) = (timer.countsUp, timer.countsUp)
    firesLeft = timer.repeats ? timer.remaining.map { Int(clamping: $0) } : 1
    interval = timer.repeats ? timer.interval.map { .nanoseconds(max(1, $0)) } : nil
    period = interval
    spans = [RecentActivity.Span(start: pageTime.suspending, activity: .running)]
    end = timer.repeats && timer.remaining == nil ? nil : due
  }
}

extension RowDetails {
  init(of timer: AttachedTimer, _ row: Row) {
    var counts = TextLine()
    counts.add(fact: "fired", "\(timer.fired)")
    for (name, column) in [
      ("late", TableColumns.Column.late), ("missed", .missed), ("stale", .stale),
    ] {
      if let (text, role) = row.delivery?.cell(column) {
        counts.add(fact: name, text, role == .faint ? .text : role)
      }
    }
    let origin = [timer.queue, timer.place].filter { !$0.isEmpty }.joined(separator: " · ")
    self.init(extras: [counts, TextLine(origin, .faint)].filter { $0.width > 0 })
  }
}
