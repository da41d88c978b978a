import TimerBoard
import TimerKit

/// The line of a transition in the output of `carillon serve` and `carillon ctl watch`.
struct TransitionLine {
  private let transition: Transition
  private let now: ClockReading
  private let report: EventReport

  init(_ transition: Transition, at now: ClockReading) {
    self.transition = transition
    self.now = now
    report = EventReport(transition, at: now)
  }

  /// The transition as a JSON object. That of a fire has the members of `carillon run --json`.
  var json: String {
    var object = JSONObject()
    object.add("time", report.time.iso8601)
    object.add("timer", report.timer)
    object.add("id", transition.id.rawValue)
    if let group = transition.spec.group { object.add("group", group) }
    object.add("event", transition.event.rawValue)
    object.add("state", "\(transition.status.state)")
    if let phase = transition.status.phaseName { object.add("phase", phase) }
    if let left = transition.status.timeLeft(at: now) { object.add("left", seconds: left) }
    if let text = transition.timeLeftText(at: now) { object.add("text", text) }
    if transition.fire != nil { report.addFire(to: &object) }
    return object.text
  }

  var jsonLine: [UInt8] { Array(json.utf8) + [UInt8(ascii: "\n")] }

  /// Returns the transition as text: `14:03:00  tea  paused, 2:31 left`.
  func text(uses24Hours: Bool) -> String {
    let line = EventLine(isJSON: false, uses24Hours: uses24Hours)
      .text(report, secondsFromUTC: now.secondsFromUTC)
    guard transition.fire == nil, let left = transition.timeLeftText(at: now) else { return line }
    return "\(line), \(left) left"
  }
}
