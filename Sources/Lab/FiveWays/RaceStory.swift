import Dashboard
import TimerKit

/// One run, told step by step: what each step is called, when it happened, and what it looks like.
struct RaceStory {
  struct Step {
    var name: String
    var event: RaceLog.Event
    var detail: String
  }

  private enum End {
    case lost, ignored, uninvoked, rightlyDeleted
  }

  let run: Run
  let pattern: Pattern

  private var end: End {
    if run.race == .firedFirst { return .rightlyDeleted }
    return run.lostChild ? .lost : run.has(.ignored) ? .ignored : .uninvoked
  }

  private var control: String {
    run.race == .replaced ? "with a new child" : "with a later time"
  }

  var steps: [Step] {
    if pattern.isDeferred {
      return [
        Step(name: "create", event: .created, detail: "child 1; a call in 20 ms is to delete it"),
        Step(
          name: "replace", event: .asked, detail: "child 2, after 10 ms, with a call of its own"),
        Step(name: "old call comes", event: .fired, detail: "it deletes whatever child it finds"),
        Step(name: "who is deleted?", event: .looked, detail: verdict),
      ]
    }
    let asked = Step(
      name: run.race == .replaced ? "replace asked" : "put-off asked", event: .asked,
      detail: "a second thread waits for it, \(control)")
    let fired =
      pattern.firesOnQueue
      ? Step(name: "time is up", event: .waited, detail: "the fire waits on the parent's own queue")
      : Step(name: "timer fires", event: .fired, detail: "its handler has begun, and waits as well")
    return [
      Step(name: "create", event: .created, detail: "child 1, with a timer of 8 ms"),
      Step(name: "queue busy", event: .busy, detail: "the parent's queue does something else"),
    ] + (run.race == .firedFirst ? [fired, asked] : [asked, fired]) + [
      Step(name: "queue free", event: .freed, detail: freed),
      Step(name: "who is deleted?", event: .looked, detail: verdict),
    ]
  }

  private var freed: String {
    switch run.race {
    case .replaced: "who asked first is first: now there is child 2"
    case .rescheduled: "who asked first is first: child 1 is to live on"
    case .firedFirst: "the handler was first, and the time was up"
    }
  }

  var verdict: String {
    switch end {
    case .lost:
      run.race == .replaced
        ? "child 2, by the timer of child 1" : "child 1, by a fire that no longer counts"
    case .ignored: "nobody: the late handler knows that it is late"
    case .uninvoked: "nobody: no late handler was called at all"
    case .rightlyDeleted: "child 1, and rightly so"
    }
  }

  var verdictSign: LabSign { end == .lost ? .wrong : .finished }

  /// How long after the first step a step came.
  func delay(of step: Step) -> Duration? {
    guard let start = run.entries.first?.time,
      let entry = run.entries.first(where: { $0.event == step.event })
    else { return nil }
    return start.duration(to: entry.time)
  }
}

extension RaceStory {
  /// The steps as lanes, a second each.
  func lanes(shown: Int) -> LabLanes {
    LabLanes(
      pattern.isDeferred ? deferredLanes : gatedLanes, axis: .steps, cell: .milliseconds(125),
      length: .seconds(steps.count), now: .seconds(shown) - .nanoseconds(1))
  }

  private typealias Mark = LabLane.Mark
  private typealias Stretch = LabLane.Stretch

  private var deferredLanes: [LabLane] {
    [
      LabLane(
        "child",
        marks: [
          Mark(at: .zero, .letter("1")), Mark(at: .seconds(1), .letter("2")),
          Mark(at: .seconds(2), .wrong),
        ], stretches: [Stretch(from: .zero, .idle), Stretch(from: .seconds(2), .none)]),
      LabLane(
        "call for 1", marks: [Mark(at: .seconds(2), .fired)],
        stretches: [Stretch(from: .zero, .waiting), Stretch(from: .seconds(2), .none)]),
      LabLane(
        "call for 2",
        stretches: [Stretch(from: .zero, .none), Stretch(from: .seconds(1), .waiting)]),
    ]
  }

  private var gatedLanes: [LabLane] {
    let (first, second) = run.race == .firedFirst ? ("h", "c") : ("c", "h")
    let isInvoked = end != .uninvoked
    let fire = Duration.seconds(run.race == .firedFirst ? 2 : 3)
    let ask = Duration.seconds(run.race == .firedFirst ? 3 : 2)
    // Who waits is served in the order of asking: at the fifth step, and at the sixth.
    let served = Duration.seconds(4)
    let last = Duration.seconds(5)
    var child = LabLane("child", marks: [Mark(at: .zero, .letter("1"))])
    child.stretches = [Stretch(from: .zero, .idle)]
    if run.race == .replaced { child.marks.append(Mark(at: served, .letter("2"))) }
    let deleted = end == .lost ? last : end == .rightlyDeleted ? served : nil
    if let deleted {
      child.marks.append(Mark(at: deleted, end == .lost ? .wrong : .finished))
      child.stretches.append(Stretch(from: deleted, .none))
    }

    var queue = LabLane("queue", marks: [Mark(at: served, .letter(Character(first)))])
    if isInvoked { queue.marks.append(Mark(at: last, .letter(Character(second)))) }
    queue.stretches = [
      Stretch(from: .zero, .idle), Stretch(from: .seconds(1), .busy), Stretch(from: served, .idle),
    ]

    let controlEnd = run.race == .firedFirst ? last : served
    let control = LabLane(
      "control", marks: [Mark(at: ask, .letter("c"))],
      stretches: [
        Stretch(from: .zero, .none), Stretch(from: ask, .waiting), Stretch(from: controlEnd, .none),
      ])

    let handlerEnd = !isInvoked || run.race == .firedFirst ? served : last
    var timer = LabLane(
      "old timer", marks: [Mark(at: fire, pattern.firesOnQueue ? .due : .letter("h"))],
      stretches: [
        Stretch(from: .zero, .idle), Stretch(from: fire, .waiting),
        Stretch(from: handlerEnd, .none),
      ])
    timer.marks.append(
      Mark(
        at: handlerEnd,
        isInvoked ? (end == .ignored ? .ignored : end == .lost ? .wrong : .finished) : .cancelled))
    return [child, queue, control, timer]
  }
}
