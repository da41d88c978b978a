import Fuzzing

@testable import TimerKit

/// Compares a state machine with its plain model for random sequences of controls, alarms and
/// drains.
enum MachineProperty<Model: ReferenceModel> {
  enum Step: Sendable {
    case control(Model.Control)
    case wait(Int)
    case alarm
    case next
    case deliveryFinished
  }

  /// The shortest sequence that fails, with its fault.
  static func failures(sequences: UInt64 = 4_000) -> [String] {
    Fuzzing.failures(
      sequences: sequences, setup: { Model(&$0) }, step: { step(&$0) },
      name: "\(Model.self)-machine",
      failure: { fault($0, $1) })
  }

  private static func step(_ random: inout SplitMix) -> Step {
    switch random.below(20) {
    case 0...7: .control(Model.control(&random))
    case 8...10: .wait(random.below(9))
    case 11: .wait(random.below(60))
    case 12...15: .alarm
    case 16...17: .next
    default: .deliveryFinished
    }
  }

  private static func fault(_ model: Model, _ steps: [Step]) -> String? {
    var model = model
    var machine = model.makeMachine()
    var now = 0
    var isExecuting = false
    var deliveries: [Model.Machine.Delivery] = []
    for (index, step) in steps.enumerated() {
      let old = (machine.generation, machine.revocationNumber)
      var results = ("", "")
      var effect: (Effect<Model.Machine.Delivery>, Effect<Model.Machine.Delivery>)?
      switch step {
      case .control(let control):
        results.0 = Model.perform(control, on: &machine, at: Int64(now))
        results.1 = model.perform(control, at: now)
      case .wait(let time):
        now += time
      case .alarm:
        guard !isExecuting else { continue }
        effect = (machine.handleArmedAlarm(at: Int64(now)), model.handleArmedAlarm(at: now))
      case .next:
        guard !isExecuting else { continue }
        effect = (machine.takeReady(at: Int64(now)), model.takeReady(at: now))
      case .deliveryFinished:
        guard isExecuting else { continue }
        isExecuting = false
        let time = Int64(now)
        machine.deliveryFinished { time }
        model.deliveryFinished(at: now)
      }
      if let effect {
        guard effect.0 == effect.1 else { return "step \(index): \(effect.0), not \(effect.1)" }
        if case .deliver(let delivery) = effect.0 {
          isExecuting = true
          deliveries.append(delivery)
          results = (Model.handle(delivery, on: &machine), model.handle(delivery))
        }
      }
      guard results.0 == results.1 else { return "step \(index): \(results.0), not \(results.1)" }
      if let difference = difference(machine, model) { return "step \(index): \(difference)" }
      let newest = deliveries.suffix(model.currentFlags.count)
      let currentFlags = newest.map { Model.isCurrent($0, on: machine) }
      if currentFlags != model.currentFlags {
        return "step \(index): current \(currentFlags), not \(model.currentFlags)"
      }
      if machine.generation < old.0 || machine.revocationNumber < old.1 {
        return "step \(index): a generation or a delivery generation decreased"
      }
    }
    return nil
  }

  private static func difference(_ machine: Model.Machine, _ model: Model) -> String? {
    let real: [Int?] =
      [
        Int(machine.generation), machine.deadline.map(Int.init),
        machine.readySince == nil ? 0 : 1,
      ]
      + Model.facts(of: machine)
    let plain: [Int?] =
      [model.generation, model.deadline, model.readySince == nil ? 0 : 1] + model.facts
    guard machine.state != model.state || real != plain else { return nil }
    return "is \(machine.state) \(real), not \(model.state) \(plain)"
  }
}
