import Platform
import TimerBoard
import TimerKit

/// An event as `carillon ctl watch` receives it.
struct WatchedEvent {
  private struct Contents: Codable {
    var time: String
    var timer: String
    var id: Int?
    var group: String?
    var event: String
    var phase: String?
    /// The time left, as on the screen.
    var timeLeftText: String?
    var missed: Int?

    enum CodingKeys: String, CodingKey {
      case time, timer, id, group, event, phase, missed
      case timeLeftText = "text"
    }
  }

  private let contents: Contents

  init(_ line: [UInt8]) throws(ControlClient.Fault) {
    do {
      contents = try JSONDecoder().decode(Contents.self, from: Data(line))
    } catch {
      throw ControlClient.Fault(description: "ctl: the owner sent an invalid event")
    }
  }

  /// The identifier of the timer on the board of the owner.
  var id: Int? { contents.id }

  /// Returns true if the event belongs to one of the named timers and groups, or if there are no names.
  func belongs(to names: [String]) -> Bool {
    names.isEmpty || names.contains(contents.timer) || contents.group.map(names.contains) ?? false
  }

  /// Returns the event as a line: `14:03:00 tea paused, 2:31 left`.
  func text(secondsFromUTC: Int, uses24Hours: Bool) -> String {
    let time =
      WallInstant(iso8601: contents.time)?
      .timeOfDay(secondsFromUTC: secondsFromUTC, uses24Hours: uses24Hours) ?? contents.time
    let isPhase = contents.event == Transition.Event.phase.rawValue
    let event = isPhase ? "\(contents.phase ?? "phase") begins" : contents.event
    let missed = contents.missed.map { $0 > 0 ? " (\($0) missed)" : "" } ?? ""
    let left = contents.timeLeftText.map { ", \($0) left" } ?? ""
    return "\(time) \(contents.timer) \(event)\(missed)\(left)".printable() + "\n"
  }
}
