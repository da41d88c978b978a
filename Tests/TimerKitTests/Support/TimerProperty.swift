import Fuzzing

@testable import TimerKit

/// Compares random use of a whole timer on virtual time, with controls and advances in its handlers, with
/// its plain model in a simple simulation of a clock.
struct TimerProperty<Model: ReferenceModel>: Sendable {
  enum Step: Sendable {
    case control(Model.Control)
    case advance(Int)
  }

  let model: Model
  var steps: [Step] = []
  /// The steps that the first handlers perform.
  let scripts: [[Step]]

  /// The shortest use that fails, with its fault.
  static func failures(sequences: UInt64 = 1_500) -> [String] {
    Fuzzing.failures(
      sequences: sequences, setup: { Self(&$0) }, step: { step(&$0) }, name: "\(Model.self)-timer",
      failure: { use, steps in
        var use = use
        use.steps = steps
        return use.fault
      })
  }

  private init(_ random: inout SplitMix) {
    model = Model(&random)
    scripts = (0..<6).map { _ in
      (0..<max(0, random.below(5) - 2)).map { _ in Self.step(&random) }
    }
  }

  private static func step(_ random: inout SplitMix) -> Step {
    random.below(5) < 3 ? .control(Model.control(&random)) : .advance(random.below(25))
  }

  private var fault: String? {
    let real = play()
    var simulation = Simulation(model: model, scripts: scripts)
    for step in steps { simulation.perform(step) }
    guard real != simulation.log else { return nil }
    let same = zip(real, simulation.log).prefix { $0 == $1 }.count
    return """
      after \(real.prefix(same).joined(separator: "\n")):
      \(real.dropFirst(same).first ?? "nothing"), not
      \(simulation.log.dropFirst(same).first ?? "nothing")
      """
  }

  /// Performs the steps on a timer.
  private func play() -> [String] {
    let clock = VirtualClock()
    let log = Recorder<String>()
    let deliveries = Recorder<Void>()
    let scripts = scripts
    @Sendable func perform(_ step: Step, on timer: Model.Timer) {
      switch step {
      case .advance(let time): clock.advance(by: .nanoseconds(time))
      case .control(let control):
        log.append("result " + Model.perform(control, on: timer, handler: handle))
      }
    }
    @Sendable func handle(_ timer: Model.Timer, _ entry: String) {
      log.append(entry)
      let index = deliveries.count
      deliveries.append(())
      guard index < scripts.count else { return }
      for step in scripts[index] { perform(step, on: timer) }
    }
    guard let timer = model.makeTimer(on: clock, handler: handle) else { return ["no timer"] }
    timer.observe { _, event in
      switch event {
      case .state(let old, let new): log.append("state \(old) to \(new)")
      case .delivery(let delivery): log.append("tick \(delivery)")
      case .stale: break
      }
    }
    for step in steps { perform(step, on: timer) }
    return log.all
  }
}

/// A simple simulation of a clock with one timer.
private struct Simulation<Model: ReferenceModel> {
  typealias Step = TimerProperty<Model>.Step

  var model: Model
  let scripts: [[Step]]
  var now = 0
  var goal: Int?
  var isDeliveringHere = false
  var drain: Int?
  /// State changes that are not reported yet.
  var pendingEvents: [String] = []
  /// The state before the delivery in progress. The change since then is reported after it.
  var stateBeforeDelivery: Model.Machine.State?
  var deliveries = 0
  var log: [String] = []

  init(model: Model, scripts: [[Step]]) {
    self.model = model
    self.scripts = scripts
  }

  mutating func perform(_ step: Step) {
    switch step {
    case .advance(let time):
      goal = max(goal ?? now + time, now + time)
      if isDeliveringHere { now += time } else { fire() }
    case .control(let control):
      var result = ""
      change { (model, now) in result = model.perform(control, at: now) }
      if !isDeliveringHere {
        requestDrain()
        fire()
      }
      log.append("result " + result)
    }
  }

  private mutating func change(_ body: (inout Model, _ now: Int) -> Void) {
    let before = model.state
    body(&model, now)
    if model.state != before, stateBeforeDelivery == nil { report(from: before) }
  }

  private mutating func report(from before: Model.Machine.State) {
    pendingEvents.append("state \(before) to \(model.state)")
  }

  private mutating func requestDrain() {
    if drain == nil { drain = model.readySince ?? (pendingEvents.isEmpty ? nil : now) }
  }

  /// Fires due alarms up to the goal, and all drains.
  private mutating func fire() {
    isDeliveringHere = true
    while true {
      let alarm = model.deadline.flatMap { deadline in
        goal.map { deadline <= $0 } == true ? deadline : nil
      }
      guard let time = [alarm, drain].compactMap({ $0 }).min() else { break }
      now = max(now, time)
      var effect = Effect<Model.Machine.Delivery>.nothing
      if alarm != time { drain = nil }
      let before = model.state
      effect = alarm == time ? model.handleArmedAlarm(at: now) : model.takeReady(at: now)
      if case .deliver = effect {
        stateBeforeDelivery = before
      } else if model.state != before {
        report(from: before)
      }
      reportPendingEvents()
      if case .deliver(let delivery) = effect { deliver(delivery) }
      requestDrain()
    }
    now = max(now, goal ?? now)
    goal = nil
    isDeliveringHere = false
  }

  private mutating func deliver(_ delivery: Model.Machine.Delivery) {
    let revocationNumber = model.revocationNumber
    log.append(model.handle(delivery))
    deliveries += 1
    if deliveries <= scripts.count {
      for step in scripts[deliveries - 1] { perform(step) }
    }
    if model.revocationNumber == revocationNumber { log.append("tick \(delivery)") }
    model.deliveryFinished(at: now)
    if let before = stateBeforeDelivery.take(), model.state != before { report(from: before) }
    reportPendingEvents()
  }

  private mutating func reportPendingEvents() {
    log += pendingEvents
    pendingEvents = []
  }
}
