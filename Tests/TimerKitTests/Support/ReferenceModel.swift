import Fuzzing

@testable import TimerKit

/// A kind of timer written once more, to be plain: flags and lists and loops in place of
/// generations, counts and arithmetic. Property tests hold the machine, and the whole timer on
/// virtual time, against it.
protocol ReferenceModel: Sendable {
  associatedtype Machine: TimerStateMachine where Machine.Delivery: Equatable
  associatedtype Timer: ObservableTimer
  where Timer.State == Machine.Status, Timer.Delivery == Machine.Delivery
  associatedtype Control: Sendable

  init(_ random: inout SplitMix)
  static func control(_ random: inout SplitMix) -> Control

  var state: Machine.Status { get }
  var generation: Int { get }
  /// Changes when a delivery is revoked.
  var deliveryGeneration: Int { get }
  var deadline: Int? { get }
  var pendingSince: Int? { get }

  /// Answers what a caller learns.
  mutating func perform(_ control: Control, at now: Int) -> String
  mutating func alarm(generation: Int, at now: Int) -> Effect<Machine.Delivery>
  mutating func next(at now: Int) -> Effect<Machine.Delivery>
  /// Answers what the handler of a delivery writes down.
  mutating func handle(_ delivery: Machine.Delivery) -> String
  mutating func deliveryFinished(at now: Int)

  /// The machine that is the same.
  func makeMachine() -> Machine
  static func perform(_ control: Control, on machine: inout Machine, at now: Int64) -> String
  static func handle(_ delivery: Machine.Delivery, on machine: inout Machine) -> String
  /// What else must be the same.
  var facts: [Int?] { get }
  static func facts(of machine: Machine) -> [Int?]

  /// Which of the deliveries so far still count.
  var counting: [Bool] { get }
  static func isCurrent(_ delivery: Machine.Delivery, on machine: Machine) -> Bool

  /// The timer that is the same. The handler passes on what it is to write down.
  func makeTimer(
    on clock: VirtualClock, handler: @escaping @Sendable (Timer, String) -> Void
  ) -> Timer?
  static func perform(
    _ control: Control, on timer: Timer, handler: @escaping @Sendable (Timer, String) -> Void
  ) -> String
}

extension ReferenceModel {
  var counting: [Bool] { [] }

  static func isCurrent(_ delivery: Machine.Delivery, on machine: Machine) -> Bool { true }

  mutating func handle(_ delivery: Machine.Delivery) -> String { "handler" }

  static func handle(_ delivery: Machine.Delivery, on machine: inout Machine) -> String {
    "handler"
  }
}

/// The result of a control, or the error it throws.
func answer<Failure: Error>(_ body: () throws(Failure) -> some Any) -> String {
  do { return "\(try body())" } catch { return "throws \(error)" }
}
