import Fuzzing

@testable import TimerKit

/// A second, simple implementation of a kind of timer: flags, lists and loops in place of generations,
/// counts and arithmetic. Property tests compare the state machine, and the whole timer on virtual time,
/// with it.
protocol ReferenceModel: Sendable {
  associatedtype Machine: TimerStateMachine where Machine.Delivery: Equatable
  associatedtype Timer: ObservableTimer
  where Timer.State == Machine.State, Timer.Delivery == Machine.Delivery
  associatedtype Control: Sendable

  init(_ random: inout SplitMix)
  static func control(_ random: inout SplitMix) -> Control

  var state: Machine.State { get }
  var generation: Int { get }
  /// Changes when a delivery is revoked.
  var revocationNumber: Int { get }
  var deadline: Int? { get }
  var readySince: Int? { get }

  /// Returns the result of the control as text.
  mutating func perform(_ control: Control, at now: Int) -> String
  mutating func handleArmedAlarm(at now: Int) -> Effect<Machine.Delivery>
  mutating func takeReady(at now: Int) -> Effect<Machine.Delivery>
  /// Returns the text that the handler of a delivery records.
  mutating func handle(_ delivery: Machine.Delivery) -> String
  mutating func deliveryFinished(at now: Int)

  /// Returns a state machine in the same state.
  func makeMachine() -> Machine
  static func perform(_ control: Control, on machine: inout Machine, at now: Int64) -> String
  static func handle(_ delivery: Machine.Delivery, on machine: inout Machine) -> String
  /// Other values that must be equal.
  var facts: [Int?] { get }
  static func facts(of machine: Machine) -> [Int?]

  /// A Boolean value per delivery, or per delivery of the newest ones, that indicates whether it is still current.
  var currentFlags: [Bool] { get }
  static func isCurrent(_ delivery: Machine.Delivery, on machine: Machine) -> Bool

  /// Returns a timer in the same state. Its handler passes on the text that it is to record.
  func makeTimer(
    on clock: VirtualClock, handler: @escaping @Sendable (Timer, String) -> Void
  ) -> Timer?
  static func perform(
    _ control: Control, on timer: Timer, handler: @escaping @Sendable (Timer, String) -> Void
  ) -> String
}

extension ReferenceModel {
  mutating func deliveryFinished(at now: Int) {}

  var currentFlags: [Bool] { [] }

  static func isCurrent(_ delivery: Machine.Delivery, on machine: Machine) -> Bool { true }

  mutating func handle(_ delivery: Machine.Delivery) -> String { "handler" }

  static func handle(_ delivery: Machine.Delivery, on machine: inout Machine) -> String {
    "handler"
  }
}

/// Returns the result of a control, or the error it throws, as text.
func resultText<Failure: Error>(_ body: () throws(Failure) -> some Any) -> String {
  do { return "\(try body())" } catch { return "throws \(error)" }
}
