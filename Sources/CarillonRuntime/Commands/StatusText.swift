import TerminalCore
import TimerBoard
import TimerKit

/// The output of `carillon status`.
package struct StatusText {
  /// The fields of a format, written in braces.
  package static let fields = ["name", "left", "state", "iterations", "percent", "at", "timer"]

  /// A syntax for which the fields in a format are escaped.
  package enum Escape: String, CaseIterable, Sendable {
    /// A tmux format, in which `#` is special.
    case tmux
    /// Markup, as in waybar, in which `&`, `<` and `>` are special.
    case markup
    /// The contents of a JSON string.
    case json
  }

  var timers: [SavedTimer]
  var now: ClockReading
  var uses24Hours = true
  var escape: Escape?

  /// The timers in columns, one on each line.
  var table: String {
    let rows = timers.map { timer in
      ["name", "left", "state", "iterations"].map { field($0, of: timer) }
    }
    let widths = (0..<4).map { column in rows.map { $0[column].cellWidth }.max() ?? 0 }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        // Numbers are aligned on the right.
        cell.padded(to: widths[column], alignedRight: column == 1)
      }
      return cells.joined(separator: "  ").withoutTrailingSpaces + "\n"
    }
    .joined()
  }

  /// Returns the first word in braces that is not a field.
  static func unknownField(in format: String) -> String? {
    format.matches(of: /{([A-Za-z_]+)}/).map { String($0.1) }.first { !fields.contains($0) }
  }

  /// Returns a line for each timer in a format such as `{name} {left}`. Other braces are copied.
  func formatted(_ format: String) -> String {
    timers.map { formatted(format, $0) + "\n" }.joined()
  }

  /// The timers as JSON objects, one on each line.
  var json: String {
    timers.map { timer in
      var object = JSONObject()
      object.add("name", timer.name)
      object.add("timer", timer.spec.text)
      object.add("state", "\(timer.status(at: now).state)")
      if case .cycle(let cycle) = timer.status(at: now), let position = cycle.position {
        object.add("phase", position.phase.name)
      }
      if let left = timer.timeLeft(at: now) { object.add("left", seconds: left) }
      if let over = timer.shownOvertime { object.add("over", seconds: over) }
      if let text = timer.timeText(at: now) { object.add("text", text) }
      object.add("iterations", timer.iterationsLeft(at: now))
      if let group = timer.spec.group { object.add("group", group) }
      if let rounds = timer.roundsLeft { object.add("roundsLeft", rounds) }
      if let next = next(of: timer) { object.add("at", next.iso8601) }
      return object.text + "\n"
    }
    .joined()
  }

  private func formatted(_ format: String, _ timer: SavedTimer) -> String {
    var text = ""
    var rest = Substring(format)
    while let open = rest.firstIndex(of: "{") {
      text += rest[..<open]
      rest = rest[open...]
      guard let field = Self.fields.first(where: { rest.hasPrefix("{\($0)}") }) else {
        text.append(rest.removeFirst())
        continue
      }
      text += escaped(self.field(field, of: timer))
      rest = rest.dropFirst(field.count + 2)
    }
    return text + rest
  }

  private func escaped(_ text: String) -> String {
    switch escape {
    case nil: text
    case .tmux: text.replacing("#", with: "##")
    case .markup: text.escapedForMarkup
    case .json: String(JSONObject.quoted(text).dropFirst().dropLast())
    }
  }

  private func field(_ name: String, of timer: SavedTimer) -> String {
    switch name {
    case "name": timer.name.printable()
    case "left": timer.timeText(at: now) ?? "-"
    case "state": timer.stateText(at: now).printable()
    case "iterations": timer.iterationsText(at: now) ?? ""
    case "percent": "\(percent(of: timer))"
    case "at":
      next(of: timer)?.timeOfDay(
        secondsFromUTC: now.secondsFromUTC, uses24Hours: uses24Hours) ?? "-"
    default: timer.spec.text.printable()
    }
  }

  /// Returns the part of the interval or phase that has passed, in percent; 0 if there is none.
  private func percent(of timer: SavedTimer) -> Int {
    let status = timer.status(at: now)
    guard status.state != .finished else { return 100 }
    guard let left = timer.timeLeft(at: now), let period = status.period, period > .zero else {
      return 0
    }
    return min(100, max(0, Int(100 * (1 - left / period))))
  }

  /// Returns the instant of the next fire; `nil` unless the timer runs.
  private func next(of timer: SavedTimer) -> WallInstant? {
    guard timer.state == .running else { return nil }
    return timer.timeLeft(at: now).map { now.wall.advanced(by: $0) }
  }
}
