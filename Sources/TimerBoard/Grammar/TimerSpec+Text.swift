import TimerKit

extension TimerSpec {
  /// Reads the timers of a command line, whose quotes the shell has taken off: an argument with
  /// spaces is several words, except the text after `note`, `run` and `then`.
  package static func parse(
    words: [String], in context: TimerContext = .init()
  ) throws(TimerSyntaxError) -> [TimerSpec] {
    var parser = try TimerParser(arguments: words, in: context)
    return try parser.timers()
  }

  /// Reads the timers of a text, whose quotes are ours; line breaks are spaces.
  package static func parse(
    line: String, in context: TimerContext = .init()
  ) throws(TimerSyntaxError) -> [TimerSpec] {
    var parser = try TimerParser(arguments: [line], in: context)
    return try parser.timers()
  }

  /// Reads a text that is one timer.
  package static func parse(
    timer line: String, in context: TimerContext = .init()
  ) throws(TimerSyntaxError) -> TimerSpec {
    var parser = try TimerParser(arguments: [line], in: context)
    return try parser.onlyTimer()
  }

  /// The timer in the words of the grammar, which read back as it.
  package var text: String {
    var words: [String] = []
    switch kind {
    case .once(let duration): words.append(DurationText.text(duration))
    case .every(let interval, let count):
      words.append("every \(DurationText.text(interval))")
      if let count { words.append("x\(count)") }
    case .at(let schedule):
      let date = WallTimeText.date(schedule)
      words.append("at \(date)\(date.isEmpty ? "" : "T")\(WallTimeText.text(schedule))")
    case .daily(let schedule, let count):
      words.append(Self.text(of: schedule))
      if let count { words.append("x\(count)") }
    case .cycle(let phases, let rounds):
      words.append("cycle " + Self.text(of: phases))
      if let rounds { words.append("x\(rounds)") }
    case .stopwatch: words.append("stopwatch")
    case .debounce(let delay, let maxWait, let edges):
      words.append("debounce \(DurationText.text(delay))")
      if let maxWait { words.append("max \(DurationText.text(maxWait))") }
      if edges != .trailing { words.append(edges.rawValue) }
    case .throttle(let interval, let mode, let kept):
      words.append("throttle \(DurationText.text(interval))")
      if mode == .deferred { words.append("deferred") }
      if kept == .first { words.append("first") }
    case .coalesce(let delay): words.append("coalesce \(DurationText.text(delay))")
    case .idle(let delay): words.append("idle \(DurationText.text(delay))")
    }
    if isPaused { words.append("paused") }
    if tolerance > .zero { words.append("tolerance \(DurationText.text(tolerance))") }
    switch missedTicks {
    case .skip: break
    case .delay: words.append("missed delay")
    case .burst(let limit): words.append("missed burst \(limit)")
    }
    if let backoff { words.append("backoff \(DurationText.text(backoff))") }
    if repeatsBell { words.append("ring") }
    if let next { words.append("then \(Token.quoting(next, isName: false))") }
    if let command { words.append("run \(Token.quoting(command, isName: false))") }
    if let note { words.append("note \(Token.quoting(note, isName: false))") }
    let text = words.joined(separator: " ")
    return name.map { "\(Token.quoting($0, isName: true))=\(text)" } ?? text
  }
}

extension TimerSpec {
  /// What the phases of a cycle are called that were given no names.
  static func usualPhaseName(_ index: Int, of count: Int) -> String {
    count <= 2 ? ["work", "rest"][index] : "phase \(index + 1)"
  }

  /// `daily 09:55`, `weekdays 09:55`, `every mon,thu 18:00`
  private static func text(of schedule: WallSchedule) -> String {
    "\(WallTimeText.days(schedule.weekdays ?? .all)) \(WallTimeText.text(schedule))"
  }

  /// `25m/5m`, with the names that are not the usual ones: `run 20s/walk 10s`.
  private static func text(of phases: [Cycle.Phase]) -> String {
    phases.enumerated().map { index, phase in
      let duration = DurationText.text(phase.duration)
      guard phase.name != usualPhaseName(index, of: phases.count) else { return duration }
      let name = Token.quotingPhase(phase.name)
      // A quote within a word is a character of it.
      let first = name.unicodeScalars.first
      let space = first == "'" || first == "\"" ? " " : ""
      return "\(index > 0 ? space : "")\(name) \(duration)"
    }
    .joined(separator: "/")
  }

  /// `once 3m`, `every 45s ×8`
  package var kindText: String {
    switch kind {
    case .once(let duration): "once \(DurationText.text(duration))"
    case .every(let interval, let count):
      "every \(DurationText.text(interval))" + (count.map { " ×\($0)" } ?? "")
    case .at(let schedule):
      "at " + (schedule.date == nil ? "" : "\(WallTimeText.date(schedule)) ")
        + WallTimeText.text(schedule)
    case .daily(let schedule, let count):
      Self.text(of: schedule) + (count.map { " ×\($0)" } ?? "")
    case .cycle(let phases, let rounds):
      "cycle " + phases.map { DurationText.text($0.duration) }.joined(separator: "/")
        + (rounds.map { " ×\($0)" } ?? "")
    case .stopwatch: "stopwatch"
    case .debounce(let delay, _, _): "debounce \(DurationText.text(delay))"
    case .throttle(let interval, _, _): "throttle \(DurationText.text(interval))"
    case .coalesce(let delay): "coalesce \(DurationText.text(delay))"
    case .idle(let delay): "idle \(DurationText.text(delay))"
    }
  }
}

extension Token {
  private func isDigit(_ index: Int) -> Bool {
    index < scalars.count && ("0"..."9").contains(scalars[index])
  }

  /// It can only be meant as a duration, right or wrong.
  var looksLikeDuration: Bool {
    let isSigned = scalars.count > 1 && "-−+.:".unicodeScalars.contains(scalars[0])
    return isDigit(0) || (isSigned && isDigit(1))
  }

  /// It can only be meant as a count: an x, and nothing or no letter after it.
  var looksLikeCount: Bool {
    guard !isQuoted, let first = scalars.first, first == "x" || first == "×" else { return false }
    return scalars.count == 1 || !scalars[1].properties.isAlphabetic
  }

  var isNumber: Bool {
    !isQuoted && equals == nil && scalars.allSatisfy { ("0"..."9").contains($0) }
  }
}
