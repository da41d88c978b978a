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

  /// A part of the script.
  private enum Part {
    /// A step begins, with what it says.
    case step(String)
    /// The key of a character.
    case press(Character, times: Int = 1)
    /// The prompt, a timer in words that is typed into it, and Enter.
    case add(String)
    /// The same for an alarm, with the time of day at which it rings within the rest that follows.
    case addAlarm
    /// Time to watch.
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
    let script = Self.script
    let count = script.count { if case .step = $0 { true } else { false } }
    var caption = Caption(text: "", step: 0, count: count)
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
    func press(_ key: Key) {
      caption.keys.append(key)
      add(.caption(caption), then: .zero)
      add(.press(key), then: Self.keyTime)
    }
    for part in script {
      switch part {
      case .step(let text):
        caption = Caption(text: text, step: caption.step + 1, count: count)
        add(.caption(caption), then: Self.readingTime)
      case .press(let character, let times): for _ in 0..<times { press(.character(character)) }
      case .add(let timer):
        press("a")
        type(timer)
        press(.enter)
      case .addAlarm:
        press("a")
        type("call at ")
        type(Self.timeOfDay(elapsed + Self.timeToAlarm, after: now))
        press(.enter)
      case .rest(let time): gap += time
      }
    }
    add(.press(.character("4")), then: .zero)
    // The last event, because it ends the player.
    add(.caption(nil), then: .zero)
    self.events = events
  }

  /// The time from the typing of an alarm to its ring.
  private static let timeToAlarm = Duration.seconds(5)

  /// Returns a time of day in the grammar: `14:30:05`.
  private static func timeOfDay(_ time: Duration, after now: ClockReading) -> String {
    LocalTime(now.wall.advanced(by: time), in: now.zone).timeOfDay(uses24Hours: true)
  }

  /// One timer of each mode and kind, and what is characteristic of it.
  private static let script: [Part] = [
    .step("Once: a countdown. It fires one time, at its end. a adds timers in words."),
    .add("tea 14s"), .rest(.seconds(1)),
    .step("Finite: every 4 seconds, thirty times. LEFT counts the fires that remain."),
    .add("sets every 4s x30"), .rest(.seconds(2)),
    .step("Infinite: until you stop it. It never drifts: fires stay on whole intervals."),
    .add("pulse every 2s"), .rest(.seconds(3)),
    .step("Over: tea rings and counts up what you are late. Space acknowledges it."),
    .press(" "), .rest(.seconds(1)),
    .step("Pause keeps exactly the time that is left; Space again resumes with it."),
    .press(" ", times: 2), .rest(.milliseconds(1_500)),
    .step("f fires now; the next fire stays where it was. u takes it back."),
    .press("f"), .press("u"), .rest(.seconds(1)),
    .step("Cycle: phases in turn, in rounds. s skips to the next phase."),
    .add("drill cycle work 5s/rest 3s x20"), .press("s"), .rest(.seconds(2)),
    .step("Stopwatch: it counts up, and c takes a lap."),
    .add("lap stopwatch"), .press("c", times: 2), .rest(.milliseconds(1_500)),
    .step("At: a time of day. It follows the wall clock, even if that is set meanwhile."),
    .addAlarm, .rest(.seconds(6)), .press(" "), .rest(.milliseconds(500)),
    .step("Daily: it repeats on days of the week."),
    .add("standup weekdays 09:55"), .rest(.milliseconds(500)),
    .step("Debounce: four triggers, one fire, when they have been quiet for a second."),
    .add("save debounce 1s"), .press("f", times: 4), .rest(.seconds(2)),
    .step("Throttle: at most one fire in 2 seconds, however often it is triggered."),
    .add("scroll throttle 2s"), .press("f", times: 6), .rest(.milliseconds(1_500)),
    .step("Coalesce: the first trigger sets the time, 2 seconds; later ones ride along."),
    .add("flush coalesce 2s"), .press("f", times: 3), .rest(.seconds(1)),
    .step("Idle: each trigger puts it off. It fires after 2 seconds without one."),
    .add("away idle 2s"), .press("f", times: 3), .rest(.milliseconds(2_500)),
    .step("d deletes; u brings it back, with the time that it had."),
    .press("d"), .press("u"), .rest(.seconds(1)),
    .step("2 shows one timer in digits that are read from across the room."),
    .press("2"), .rest(.seconds(3)),
    .step("3 shows what fired, and what will."),
    .press("3"), .rest(.seconds(5)),
    .step("P pauses all. In a session of your own, D keeps them ringing without a screen."),
    .press("1"), .press("P"), .rest(.seconds(2)),
    .step("Next: how timers go wrong. carillon attach shows those of your own programs."),
    .rest(.milliseconds(2_200)),
  ]
}

extension Frame {
  /// The number of lines of the tour's caption.
  static let captionHeight = 2

  /// Draws the caption of the tour: its step, its text, and the keys that it presses.
  func draw(_ caption: Tour.Caption, in area: Rect) {
    canvas.fill(area)
    let width = max(0, area.width - 2 * inset)
    let head = "tour \(caption.step)/\(caption.count)"
    let exit = "Esc ends it, any other key takes over"
    write(head, .key, x: inset, y: area.y, limit: width)
    if head.cellWidth + exit.cellWidth + 3 < width, caption.keys.isEmpty {
      write(exit, .faint, x: area.width - inset - exit.cellWidth, y: area.y)
    }
    write(caption.text.cutAtWord(to: width), .text, x: inset, y: area.y + 1)
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
