import TimerKit

/// The kinds that take more than a duration.
extension TimerParser {
  /// `25m/5m`, `work 25m/rest 5m`, also with spaces around the slashes.
  mutating func phases() throws(TimerSyntaxError) -> [Cycle.Phase] {
    position += 1
    var phases: [(name: String?, duration: Duration)] = []
    var name: String?
    while true {
      guard position < words.count else {
        throw error(.durationMissing(after: name ?? Keyword.cycle.rawValue))
      }
      let word = words[position]
      let slash = word.isQuoted ? nil : word.scalars.firstIndex(of: "/")
      let head = word[0..<(slash ?? word.scalars.count)]
      if !word.isQuoted, head.looksLikeDuration {
        phases.append((name, try duration(head)))
        name = nil
        guard goesOn(after: word, slash: slash) else { break }
      } else if name == nil, slash == nil, !word.looksLikeCount, word.equals == nil {
        name = word.text
        position += 1
      } else {
        throw error(.durationMissing(after: name ?? Keyword.cycle.rawValue), at: word)
      }
    }
    return phases.enumerated().map { index, phase in
      Cycle.Phase(
        phase.name ?? TimerSpec.usualPhaseName(index, of: phases.count), phase.duration)
    }
  }

  /// Goes to where the next phase begins, if a slash announces one.
  private mutating func goesOn(after word: Token, slash: Int?) -> Bool {
    if let slash {
      replaceFirst(with: word[(slash + 1)..<word.scalars.count])
      return true
    }
    position += 1
    guard position < words.count, !words[position].isQuoted,
      words[position].scalars.first == "/"
    else { return false }
    replaceFirst(with: words[position][1..<words[position].scalars.count])
    return true
  }

  mutating func debounce() throws(TimerSyntaxError) -> TimerSpec.Kind {
    let delay = try duration(after: .debounce)
    var maxWait: Duration?
    var edges: DebounceEdges?
    while position < words.count, let word = words[position].keyword {
      if word == "max", maxWait == nil {
        position += 1
        guard position < words.count else { throw error(.durationMissing(after: "max")) }
        maxWait = try duration(words[position])
        position += 1
      } else if let named = DebounceEdges(rawValue: word), edges == nil {
        edges = named
        position += 1
      } else {
        break
      }
    }
    return .debounce(delay, maxWait: maxWait, edges: edges ?? .trailing)
  }

  mutating func throttle() throws(TimerSyntaxError) -> TimerSpec.Kind {
    let interval = try duration(after: .throttle)
    var mode: ThrottleMode?
    var kept: ThrottledValue?
    while position < words.count, let word = words[position].keyword {
      if word == "fixed" || word == "deferred", mode == nil {
        mode = word == "fixed" ? .fixed : .deferred
      } else if let named = ThrottledValue(rawValue: word), kept == nil {
        kept = named
      } else {
        break
      }
      position += 1
    }
    return .throttle(interval, mode: mode ?? .fixed, keeps: kept ?? .latest)
  }
}

extension Keyword {
  /// Whether a timer of that kind can have it.
  func goes(with kind: TimerSpec.Kind) -> Bool {
    switch (self, kind) {
    case (.missed, .once), (.missed, .every), (.missed, .daily): true
    case (.missed, _): false
    case (.backoff, .every): true
    case (.backoff, _): false
    case (.then, .stopwatch), (.then, .debounce), (.then, .throttle), (.then, .coalesce),
      (.then, .idle):
      false
    case (.tolerance, .stopwatch), (.run, .stopwatch), (.ring, .stopwatch): false
    case (.paused, .debounce), (.paused, .throttle), (.paused, .coalesce), (.paused, .idle): false
    default: true
    }
  }
}

extension TimerSpec.Kind {
  /// The word that it is asked for with.
  var word: String {
    switch self {
    case .once: Keyword.once.rawValue
    case .every: Keyword.every.rawValue
    case .at: Keyword.at.rawValue
    case .daily: Keyword.daily.rawValue
    case .cycle: Keyword.cycle.rawValue
    case .stopwatch: Keyword.stopwatch.rawValue
    case .debounce: Keyword.debounce.rawValue
    case .throttle: Keyword.throttle.rawValue
    case .coalesce: Keyword.coalesce.rawValue
    case .idle: Keyword.idle.rawValue
    }
  }
}
