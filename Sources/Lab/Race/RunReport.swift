import Dashboard
import TimerKit

/// The steps of one run, with their times and their lanes.
struct RunReport {
  struct Step {
    var name: String
    var event: RaceLog.Event
    var detail: String
  }

  private enum Outcome {
    case wrongChild, ignored, uninvoked, rightChild
  }

  let run: Run
  let pattern: Pattern

  private var outcome: Outcome {
    if run.race == .firedFirst { return .rightChild }
    return run.childDeleted ? .wrongChild : run.has(.ignored) ? .ignored : .uninvoked
  }

  var steps: [Step] {
    if pattern.isDeferred {
      return [
        Step(name: "create", event: .created, detail: "child 1; a call in 20 ms deletes it"),
        Step(
          name: "replace", event: .requested, detail: "child 2, after 10 ms, with its own call"),
        Step(name: "old call runs", event: .fired, detail: "it deletes the child that it finds"),
        Step(name: "child deleted", event: .checked, detail: verdict),
      ]
    }
    let requested = Step(
      name: run.race == .replaced ? "replace called" : "reset called", event: .requested,
      detail: "a second thread waits for the queue")
    let fired =
      pattern.firesOnQueue
      ? Step(
        name: "deadline passed", event: .deadlinePassed,
        detail: "the fire waits on the parent's own queue")
      : Step(
        name: "timer fires", event: .fired,
        detail: "its handler has started; it waits for the queue")
    return [
      Step(name: "create", event: .created, detail: "child 1, with a timer of 8 ms"),
      Step(name: "queue busy", event: .busy, detail: "the parent's queue runs other work"),
    ] + (run.race == .firedFirst ? [fired, requested] : [requested, fired]) + [
      Step(name: "queue free", event: .freed, detail: freed),
      Step(name: "child deleted", event: .checked, detail: verdict),
    ]
  }

  private var freed: String {
    switch run.race {
    case .replaced: "control first: child 2 replaces child 1"
    case .rescheduled: "control first: child 1 gets more time"
    case .firedFirst: "handler first: the time of child 1 is up"
    }
  }

  var verdict: String {
    switch outcome {
    case .wrongChild:
      run.race == .replaced
        ? "child 2, by the timer of child 1" : "child 1, by a stale fire"
    case .ignored: "none: the late handler sees that it is stale"
    case .uninvoked: "none: no late handler was called"
    case .rightChild: "child 1, which is correct"
    }
  }

  var verdictMark: LabMarkKind { outcome == .wrongChild ? .wrong : .finished }

  /// Returns the time from the first step to a step.
  func delay(of step: Step) -> Duration? {
    guard let start = run.entries.first?.time,
      let entry = run.entries.first(where: { $0.event == step.event })
    else { return nil }
    return start.duration(to: entry.time)
  }
}

extension RunReport {
  /// Returns the run as lanes, in which each step takes one second.
  /// - Parameter shown: The number of steps that are shown.
  func lanes(shown: Int) -> LabLanes {
    LabLanes(
      pattern.isDeferred ? deferredLanes : blockedQueueLanes, axis: .positions,
      cellDuration: .milliseconds(125),
      length: .seconds(steps.count), now: .seconds(shown) - .nanoseconds(1))
  }

  private typealias Mark = LabLane.Mark
  private typealias Segment = LabLane.Segment

  private var deferredLanes: [LabLane] {
    [
      LabLane(
        "child",
        marks: [
          Mark(at: .zero, .character("1")), Mark(at: .seconds(1), .character("2")),
          Mark(at: .seconds(2), .wrong),
        ], segments: [Segment(from: .zero, .idle), Segment(from: .seconds(2), .none)]),
      LabLane(
        "call for 1", marks: [Mark(at: .seconds(2), .fired)],
        segments: [Segment(from: .zero, .waiting), Segment(from: .seconds(2), .none)]),
      LabLane(
        "call for 2",
        segments: [Segment(from: .zero, .none), Segment(from: .seconds(1), .waiting)]),
    ]
  }

  private var blockedQueueLanes: [LabLane] {
    let (first, second) = run.race == .firedFirst ? ("h", "c") : ("c", "h")
    let isInvoked = outcome != .uninvoked
    let fireTime = Duration.seconds(run.race == .firedFirst ? 2 : 3)
    let requestTime = Duration.seconds(run.race == .firedFirst ? 3 : 2)
    // The queue runs the control and the handler in the order of their requests: at the fifth step and at the sixth.
    let firstRun = Duration.seconds(4)
    let secondRun = Duration.seconds(5)
    var child = LabLane("child", marks: [Mark(at: .zero, .character("1"))])
    child.segments = [Segment(from: .zero, .idle)]
    if run.race == .replaced { child.marks.append(Mark(at: firstRun, .character("2"))) }
    let deleted = outcome == .wrongChild ? secondRun : outcome == .rightChild ? firstRun : nil
    if let deleted {
      child.marks.append(Mark(at: deleted, outcome == .wrongChild ? .wrong : .finished))
      child.segments.append(Segment(from: deleted, .none))
    }

    var queue = LabLane("queue", marks: [Mark(at: firstRun, .character(Character(first)))])
    if isInvoked { queue.marks.append(Mark(at: secondRun, .character(Character(second)))) }
    queue.segments = [
      Segment(from: .zero, .idle), Segment(from: .seconds(1), .busy),
      Segment(from: firstRun, .idle),
    ]

    let controlDone = run.race == .firedFirst ? secondRun : firstRun
    let control = LabLane(
      "control", marks: [Mark(at: requestTime, .character("c"))],
      segments: [
        Segment(from: .zero, .none), Segment(from: requestTime, .waiting),
        Segment(from: controlDone, .none),
      ])

    let handlerDone = !isInvoked || run.race == .firedFirst ? firstRun : secondRun
    var timer = LabLane(
      "old timer", marks: [Mark(at: fireTime, pattern.firesOnQueue ? .due : .character("h"))],
      segments: [
        Segment(from: .zero, .idle), Segment(from: fireTime, .waiting),
        Segment(from: handlerDone, .none),
      ])
    timer.marks.append(
      Mark(
        at: handlerDone,
        isInvoked
          ? (outcome == .ignored ? .ignored : outcome == .wrongChild ? .wrong : .finished)
          : .ended))
    return [child, queue, control, timer]
  }
}
