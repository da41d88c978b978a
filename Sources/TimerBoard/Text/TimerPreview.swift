package import TimerKit

/// The meaning of timers that are about to start, in words: `tea · once 3m · fires 14:32:05`. The prompt of a board shows
/// it, and commands print it.
package struct TimerPreview {
  private let start: ClockReading
  private let uses24Hours: Bool
  /// The name of the key that triggers a timer; empty where none does.
  private let triggerKey: String

  package init(startingAt start: ClockReading, uses24Hours: Bool, triggerKey: String = "") {
    self.start = start
    self.uses24Hours = uses24Hours
    self.triggerKey = triggerKey
  }

  /// Returns the meaning of a timer.
  /// - Parameters:
  ///   - name: The name that it gets; `nil` for none.
  ///   - time: What becomes of its time; `nil` for the times of its fires.
  ///   - parsed: The text in which it is, with the ways in which that could be meant otherwise.
  package func text(
    of spec: TimerSpec, named name: String?, time: String? = nil, in parsed: ParsedTimers?
  ) -> String {
    var parts = [name, spec.kindText].compactMap { $0 }
    parts.append(time ?? (spec.isPaused ? "paused" : fires(of: spec)))
    if let time = parsed?.timeLikeDuration { parts.append("for a time of day, type 'at \(time)'") }
    if let number = parsed?.numberInMinutes { parts.append(number) }
    parts += spec.meanings
    return parts.joined(separator: " · ")
  }

  /// Returns the times of the fires: `fires 14:32:05`, or `first fires 14:30:11, last 14:32:11`.
  private func fires(of spec: TimerSpec) -> String {
    func text(of instant: WallInstant, showsSeconds: Bool = true) -> String {
      LocalTime(instant, in: start.zone).text(
        from: LocalTime(start), showsSeconds: showsSeconds, uses24Hours: uses24Hours)
    }
    if let schedule = spec.kind.repeater?.schedule {
      let verb = spec.fireCount == 1 ? "fires" : "first fires"
      guard let next = schedule.next(after: start.wall) else {
        return "\(verb) never (in the past)"
      }
      let time = text(of: next, showsSeconds: schedule.second != 0)
      return "\(verb) \(time), in \(TimeText.timeUntil(start.wall.duration(to: next)).text)"
    }
    // A random delay is not known before.
    var exact = spec
    exact.jitter = .zero
    guard let timer = try? BoardTimer(id: TimerID(0), startOf: exact, at: start) else { return "" }
    guard let left = timer.timeLeft(at: start) else {
      if timer.machine.countsUp { return "counts up" }
      return "waits for triggers" + (triggerKey.isEmpty ? "" : " (\(triggerKey))")
    }
    let first = text(of: start.wall.advanced(by: left))
    // An end after the calendar's is left out.
    let last = timer.end(at: start).flatMap {
      $0.nanosecondsSince1970 < .max ? text(of: $0) : nil
    }
    if let phase = timer.machine.phaseName {
      return "\(phase) until \(first)" + (last.map { ", ends \($0)" } ?? "")
    }
    if spec.fireCount == 1 { return "fires \(first)" }
    return "first fires \(first)" + (last.map { ", last \($0)" } ?? "")
  }
}

extension TimerPreview {
  /// A fire of a timer that is started now.
  package struct Fire: Hashable, Sendable {
    /// The instant at which it is due, without a random delay.
    package let due: WallInstant
    /// The phase that begins then; `nil` for other timers, and at the end of a cycle.
    package let phase: String?
  }

  /// Returns the first fires of a timer that starts now, in order. They are those of the timer itself, whose time is
  /// advanced from one to the next. A timer that waits for the user or for triggers has no further ones.
  package func fires(of spec: TimerSpec, upTo count: Int) -> [Fire] {
    var exact = spec
    (exact.jitter, exact.tolerance, exact.isPaused) = (.zero, .zero, false)
    guard var timer = try? exact.kind.family.start(of: exact, seed: 0, at: start) else { return [] }
    var fires: [Fire] = []
    while fires.count < (spec.waits ? 1 : count), let due = timer.wakeUp?.lowerBound {
      guard timer.advance(to: start.moved(by: start.duration(to: due))) != nil else { break }
      fires.append(Fire(due: start.wallInstant(of: due), phase: timer.phaseName))
    }
    return fires
  }
}
