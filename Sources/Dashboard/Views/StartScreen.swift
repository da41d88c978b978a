import TerminalCore
import TimerBoard
import TimerKit

/// The first minute: examples to choose from on an empty board, and after the first start a hint for each step.
struct FirstMinute: Hashable, Sendable {
  /// A timer to choose, with its preview.
  struct Example: Sendable {
    let text: String
    let meaning: String
    /// The number of times as fast as it is that its preview plays.
    var speed = 20
    /// The time that has passed at the beginning of the preview, and the time after which it starts over.
    var begin = Duration.zero
    var span = Duration.seconds(200)
    /// The action of its user, and the times at which it is performed.
    var action = TimerAction.lap
    var presses: [Duration] = []
  }

  static let examples = [
    Example(text: "tea 3m", meaning: "rings once"),
    Example(
      text: "pomodoro", meaning: "work and rest", begin: .minutes(22), span: .minutes(14)),
    Example(
      text: "sets=every 45s x8 chime", meaning: "rings eight times", span: .seconds(45 * 9)),
    Example(text: "standup=weekdays 9:55", meaning: "a time of day", speed: 1),
    Example(
      text: "stopwatch", meaning: "counts up, laps", span: .seconds(240),
      presses: [.seconds(48), .seconds(110), .seconds(150)]),
    Example(
      text: "save=debounce 2s", meaning: "quiet after f", speed: 1, span: .seconds(8),
      action: .fire(pausing: false),
      presses: [0, 400, 900, 1_300, 1_900].map { .milliseconds($0) }),
  ]

  /// The hints in their order, each with the action that it is about, and what that does.
  static let hints: [(action: Action, scope: Binding.Scope, meaning: String)] = [
    (.startOrPause, .board, "pauses the timer, and resumes it"),
    (.moreTime, .board, "gives it more time"),
    (.showFocus, .global, "shows it in large digits"),
    (.add, .board, "adds another one, such as: eggs 6m"),
    (.detach, .global, "keeps the timers ringing in the background"),
  ]

  /// The index of the highlighted example.
  var choice = 0
  /// The instant since which it is highlighted; `nil` before the first message.
  var since: TimerClock.Instant?
  /// The number of hints that are over: all of them, except after a first start.
  var hintsOver = hints.count {
    didSet { hintsOver = min(max(0, hintsOver), Self.hints.count) }
  }
}

extension Dashboard {
  /// Begins the hints of a first start.
  package mutating func beginHints() { firstMinute.hintsOver = 0 }

  /// The next hint: `hint 1 of 5: Space pauses the timer, and resumes it; Esc ends the hints`. `nil` without one.
  var hintText: String? {
    let all = FirstMinute.hints
    guard firstMinute.hintsOver < all.count, view.hasTimerRows, !rows.isEmpty else { return nil }
    let hint = all[firstMinute.hintsOver]
    let text = keyHint(for: hint.action, in: hint.scope, hint.meaning) ?? hint.meaning
    let end = keyHint(for: .dismiss, in: .board, "ends the hints").map { "; \($0)" } ?? ""
    return "hint \(firstMinute.hintsOver + 1) of \(all.count): \(text)\(end)"
  }

  /// Goes on to the next hint if an action is what the present one is about, or ends the hints.
  mutating func followHint(_ action: Action) {
    guard hintText != nil else { return }
    if action == .dismiss, listState.filter.isEmpty, listState.marks.isEmpty {
      firstMinute.hintsOver = FirstMinute.hints.count
    } else if action == FirstMinute.hints[firstMinute.hintsOver].action {
      firstMinute.hintsOver += 1
    }
  }

  /// Moves among the examples of an empty board, or adds the highlighted one.
  /// - Returns: True if the action is for the examples.
  mutating func chooseExample(_ action: Action, at now: ClockReading) -> Bool {
    guard attached == nil, rows.isEmpty, view == .board else { return false }
    let count = FirstMinute.examples.count
    switch action {
    case .up: firstMinute.choice = max(0, firstMinute.choice - 1)
    case .down: firstMinute.choice = min(count - 1, firstMinute.choice + 1)
    case .showFocus:
      let text = FirstMinute.examples[firstMinute.choice].text
      openPrompt(TimerPrompt(.add, text: text, in: timerContext(at: now)))
      _ = performInPrompt(.accept, at: now)
    default: return false
    }
    firstMinute.since = now.suspending
    return true
  }
}

extension Frame {
  /// The lines of the examples; `nil` if there is no room for them, or in another view.
  private var exampleArea: Rect? {
    let count = FirstMinute.examples.count
    guard dashboard.view == .board, layout.body.height >= count + 4, layout.body.width >= 24 else {
      return nil
    }
    let room = layout.body.width - 2 * inset
    let width = min(room, cardWidth.map { listWidth + 2 + $0 } ?? 76)
    return Rect(
      x: (layout.body.width - width) / 2,
      y: layout.body.y + (layout.body.height - count - 4) / 3 + 2,
      width: cardWidth == nil ? width : listWidth, height: count)
  }

  /// The width of the examples with their meanings, beside a preview.
  private var listWidth: Int { 46 }

  /// The width of the preview beside the examples; `nil` if there is no room for it.
  private var cardWidth: Int? {
    let room = layout.body.width - 2 * inset - listWidth - 2
    return room >= 30 && layout.body.height >= 16 ? min(room, 52) : nil
  }

  /// The preview of the highlighted example; `nil` if there is no room for it.
  var examplePreview: ExamplePreview? {
    guard dashboard.attached == nil, cardWidth != nil, exampleArea != nil,
      let since = dashboard.firstMinute.since
    else {
      return nil
    }
    return ExamplePreview(
      of: FirstMinute.examples[dashboard.firstMinute.choice], since: since, in: context)
  }

  /// - Returns: The line below it.
  private func drawPreview(_ preview: ExamplePreview, beside list: Rect) -> Int {
    guard let cardWidth else { return list.maxY }
    let height = min(layout.body.maxY - list.y, max(10, cardWidth / 4))
    let card = Rect(x: list.maxX + 2, y: list.y - 1, width: cardWidth, height: height)
    let time = preview.row.time.shortText
    drawCard(of: preview.row, at: nil, time, widest: time, in: card)
    write(preview.caption, .faint, x: card.x + 2, y: card.maxY)
    return card.maxY + 1
  }

  /// Returns the example at a point; `nil` if there is none.
  func example(at point: Point) -> Int? {
    guard dashboard.attached == nil, dashboard.rows.isEmpty, let area = exampleArea,
      area.contains(point)
    else { return nil }
    return point.y - area.y
  }

  func drawEmptyBoard() {
    let keys = [
      exampleArea == nil
        ? nil : dashboard.keyHint(for: .showFocus, in: .board, "adds the highlighted one"),
      dashboard.keyHint(for: .add, in: .board, "adds your own"),
      dashboard.keyHint(for: .help, in: .global, "shows the keys"),
      dashboard.keyHint(for: .quit, in: .global, "quits"),
    ].compactMap(\.self).joined(separator: ", ")
    guard let area = exampleArea else {
      let room = max(0, layout.body.width - 2 * inset)
      for (line, text) in ["no timers, such as \(FirstMinute.examples[0].text)", keys].enumerated()
      where line < layout.body.height {
        write(text.cutAtWord(to: room), .faint, x: inset, y: layout.body.y + line)
      }
      return
    }
    let below = examplePreview.map { drawPreview($0, beside: area) } ?? area.maxY
    write("What shall I time?", .title, x: area.x, y: area.y - 2)
    let textWidth = FirstMinute.examples.map(\.text.cellWidth).max() ?? 0
    for (index, example) in FirstMinute.examples.enumerated() {
      let line = Rect(x: area.x, y: area.y + index, width: area.width, height: 1)
      let isChosen = index == dashboard.firstMinute.choice
      write(
        example.text, isChosen ? .selectedName : .text, x: line.x + 2, y: line.y,
        limit: line.width - 2)
      write(
        example.meaning, .faint, x: line.x + textWidth + 5, y: line.y,
        limit: max(0, line.width - textWidth - 5))
      guard isChosen else { continue }
      write(symbols.selection, .rowSymbol, x: line.x, y: line.y)
      canvas.highlight(line, theme)
    }
    let tour = dashboard.keyHint(for: .tour, in: .global, "is a guided tour of two minutes")
    for (line, text) in [keys, tour].compactMap(\.self).enumerated() {
      let room = layout.body.maxX - inset - area.x
      write(text.cutAtWord(to: room), .faint, x: area.x, y: below + 1 + line)
    }
  }
}
