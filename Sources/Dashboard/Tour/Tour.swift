package import TerminalCore
package import TimerBoard
import TimerKit

/// The guided tour: a script that presses keys on the board, and says in one line what each timer is about to do.
package struct Tour: Sendable {
  /// An event at an instant of the tour.
  package enum Event: Hashable, Sendable {
    /// A new caption; `nil` at the end.
    case caption(Caption?)
    case press(Key)
  }

  /// The line that the screen shows beside the board.
  package struct Caption: Hashable, Sendable {
    package var text: String
    /// The number of the step, from 1, and that of all steps.
    var step: Int
    var count: Int
    /// The keys that the step has pressed so far, by their names; typed text is not among them.
    var keys: [Key] = []
  }

  /// A part of the tour: what it says, the keys that it presses, and the time that it then leaves to watch.
  private struct Step {
    var text: String
    var presses: [Press]
    var rest: Duration

    init(_ text: String, _ presses: [Press] = [], rest: Duration) {
      self.text = text
      self.presses = presses
      self.rest = rest
    }
  }

  private enum Press {
    case key(Key)
    /// A text that is typed into a prompt.
    case text(String)
    /// The time of day at which an alarm rings within the rest that follows.
    case timeOfAlarm
    case rest(Duration)
  }

  /// The events, each with its time after the one before, in order.
  package let events: [(after: Duration, event: Event)]

  /// The time that one key of the script takes, and one typed character.
  private static let keyTime = Duration.milliseconds(450)
  private static let characterTime = Duration.milliseconds(45)
  /// The time to read a caption before its first key.
  private static let readingTime = Duration.milliseconds(1_800)

  /// - Parameter now: The time of day at which the tour begins, because it adds an alarm.
  package init(at now: ClockReading) {
    let steps = Self.steps
    var events: [(after: Duration, event: Event)] = []
    var gap = Duration.zero
    var elapsed = Duration.zero
    func add(_ event: Event, then time: Duration) {
      events.append((gap, event))
      elapsed += gap
      gap = time
    }
    func type(_ text: String) {
      for character in text { add(.press(.character(character)), then: Self.characterTime) }
      gap += Self.keyTime
    }
    for (index, step) in steps.enumerated() {
      var caption = Caption(text: step.text, step: index + 1, count: steps.count)
      add(.caption(caption), then: step.presses.isEmpty ? .zero : Self.readingTime)
      for press in step.presses {
        switch press {
        case .key(let key):
          caption.keys.append(key)
          add(.caption(caption), then: .zero)
          add(.press(key), then: Self.keyTime)
        case .text(let text): type(text)
        case .timeOfAlarm: type(Self.timeOfDay(elapsed + Self.timeToAlarm, after: now))
        case .rest(let time): gap += time
        }
      }
      gap += step.rest
    }
    add(.press(.character("4")), then: .zero)
    // The last event, because it ends the player.
    add(.caption(nil), then: .zero)
    self.events = events
  }

  /// The time that the whole tour takes.
  package var duration: Duration { events.reduce(.zero) { $0 + $1.after } }

  /// The time from the typing of an alarm to its ring.
  private static let timeToAlarm = Duration.seconds(5)

  /// Returns a time of day in the grammar: `14:30:05`.
  private static func timeOfDay(_ time: Duration, after now: ClockReading) -> String {
    var then = now
    then.wall = now.wall.advanced(by: time)
    return TimeText.timeOfDay(
      LocalTime(then).secondOfDay, showsSeconds: true, uses24Hours: true)
  }

  /// One timer of each mode and kind, and what is characteristic of it.
  private static var steps: [Step] {
    func adding(_ timer: String) -> [Press] {
      [.key(.character("a")), .text(timer), .key(.enter)]
    }
    func pressing(_ key: Character, times: Int = 1) -> [Press] {
      Array(repeating: .key(.character(key)), count: times)
    }
    return [
      Step(
        "Once: a countdown. It fires one time, at its end. a adds timers in words.",
        adding("tea 14s"), rest: .seconds(1)),
      Step(
        "Finite: every 4 seconds, thirty times. LEFT counts the fires that remain.",
        adding("sets every 4s x30"), rest: .seconds(2)),
      Step(
        "Infinite: until you stop it. It never drifts: fires stay on whole intervals.",
        adding("pulse every 2s"), rest: .seconds(3)),
      Step(
        "Over: tea rings and counts up what you are late. Space acknowledges it.",
        pressing(" "), rest: .seconds(1)),
      Step(
        "Pause keeps exactly the time that is left; Space again resumes with it.",
        pressing(" ", times: 2), rest: .milliseconds(1_500)),
      Step(
        "f fires now; the next fire stays where it was. u takes it back.",
        pressing("f") + pressing("u"), rest: .seconds(1)),
      Step(
        "Cycle: phases in turn, in rounds. s skips to the next phase.",
        adding("drill cycle work 5s/rest 3s x20") + pressing("s"), rest: .seconds(2)),
      Step(
        "Stopwatch: it counts up, and c takes a lap.",
        adding("lap stopwatch") + pressing("c", times: 2), rest: .milliseconds(1_500)),
      Step(
        "At: a time of day. It follows the wall clock, even if that is set meanwhile.",
        [.key(.character("a")), .text("call at "), .timeOfAlarm, .key(.enter), .rest(.seconds(6))]
          + pressing(" "), rest: .milliseconds(500)),
      Step(
        "Daily: it repeats on days of the week.",
        adding("standup weekdays 09:55"), rest: .milliseconds(500)),
      Step(
        "Debounce: four triggers, one fire, when they have been quiet for a second.",
        adding("save debounce 1s") + pressing("f", times: 4), rest: .seconds(2)),
      Step(
        "Throttle: at most one fire in 2 seconds, however often it is triggered.",
        adding("scroll throttle 2s") + pressing("f", times: 6), rest: .milliseconds(1_500)),
      Step(
        "Coalesce: the first trigger sets the time, 2 seconds; later ones ride along.",
        adding("flush coalesce 2s") + pressing("f", times: 3), rest: .seconds(1)),
      Step(
        "Idle: each trigger puts it off. It fires after 2 seconds without one.",
        adding("away idle 2s") + pressing("f", times: 3), rest: .milliseconds(2_500)),
      Step(
        "d deletes; u brings it back, with the time that it had.",
        pressing("d") + pressing("u"), rest: .seconds(1)),
      Step(
        "2 shows one timer in digits that are read from across the room.",
        pressing("2"), rest: .seconds(3)),
      Step("3 shows what fired, and what will.", pressing("3"), rest: .seconds(5)),
      Step(
        "P pauses all. In a session of your own, D keeps them ringing without a screen.",
        pressing("1") + pressing("P"), rest: .seconds(2)),
      Step(
        "Next: how timers go wrong. carillon attach shows the timers of your programs.",
        rest: .seconds(4)),
    ]
  }
}

extension Frame {
  /// The number of lines of the tour's caption.
  static let captionHeight = 2

  /// Draws the caption of the tour: its step, its text, and the keys that it presses.
  func draw(_ caption: Tour.Caption, on canvas: inout Canvas, in area: Rect) {
    canvas.fill(area)
    let width = max(0, area.width - 2 * inset)
    let head = "tour \(caption.step)/\(caption.count)"
    let exit = "Esc ends it, any other key takes over"
    canvas.write(head, x: inset, y: area.y, style: theme[.key], limit: width)
    if head.cellWidth + exit.cellWidth + 3 < width, caption.keys.isEmpty {
      canvas.write(
        exit, x: area.width - inset - exit.cellWidth, y: area.y, style: theme[.faint])
    }
    canvas.write(
      caption.text.cutAtWord(to: width), x: inset, y: area.y + 1, style: theme[.text])
    canvas.highlight(area, theme)
    let keyStyle = theme[.key].adding(.reverse)
    var x = inset + head.cellWidth + 2
    for key in caption.keys.suffix(8) {
      let cap = " \(key.name(symbols)) "
      guard x + cap.cellWidth <= area.width - inset else { break }
      canvas.write(cap, x: x, y: area.y, style: keyStyle)
      x += cap.cellWidth + 1
    }
  }
}
