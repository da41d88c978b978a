import TimerKit

/// A stretch that has ended: one line of the history.
///
/// A stretch is one run of a timer, from its start or restart until it finishes, is reset, edited, deleted, or until
/// its process ends without saving it. These rules decide what counts as one:
///
/// - Each phase of a cycle is a stretch, because people ask how long they worked, without the rests.
/// - The fires of an `every` belong to the stretch of its run, which counts them. An endless one has one stretch, from
///   its start to its end.
/// - A pause does not end a stretch. It is listed in it, and its time does not count.
/// - A saved session continues its stretches, in whichever process. If the timer finishes while no process runs it,
///   the next one records the stretch with the time at which it was due. Runs that both began and ended in such a time,
///   in a chain or a cycle, are not recorded, since nobody used them.
/// - Timers that follow the time of day (`at`, `daily`, `weekdays`) and timers that wait for triggers have no
///   stretches, because they wait and measure nothing.
/// - A stretch that ends unfinished, with less than a second of active time, is not recorded.
package struct StretchRecord: Hashable, Sendable {
  package enum Kind: String, CaseIterable, JSONValue, Sendable {
    case once, every, cycle, stopwatch
  }

  package enum Ending: String, CaseIterable, JSONValue, Sendable {
    case finished
    /// The timer was reset or restarted, by hand or by a chain.
    case reset
    /// The phase of a cycle was skipped.
    case skipped
    case edited, deleted
    /// The process ended and the timers were not saved.
    case ended
  }

  /// A pause, in milliseconds from the start of the stretch.
  package struct Pause: Hashable, Sendable {
    package var start: Int64
    package var length: Int64
  }

  /// The version of the format of its line.
  var version = 1
  /// The identifier. A line with an identifier that was read before, or that a line revokes, does not count.
  package var id: UInt64
  /// The timer's name, or its kind if it has none.
  package var timer: String
  package var kind: Kind
  /// The phase of a cycle, and its round.
  package var phase: String?
  package var round: Int?
  package var session: String?
  /// The start and the end, in milliseconds since 1970 UTC.
  package var start: Int64
  package var end: Int64
  /// The time zone in which the stretch was recorded: `Europe/Berlin`.
  package var zone = ""
  package var ending: Ending
  /// The planned time in milliseconds; `nil` for a stopwatch or an endless timer.
  package var planned: Int64?
  /// The time without pauses, in milliseconds.
  package var activeTime: Int64
  /// The number of pauses by the user.
  package var interruptions = 0
  /// The pauses, in order; at most ``Run/pauseLimit`` of them.
  package var pauses: [Pause] = []
  package var fires = 0
  package var missed = 0
  /// The result of the most recent command: `exit 0`.
  package var result: String?
  package var note: String?
  package var command: String?

  /// The name with the phase of a cycle: `pomodoro work`.
  package var title: String { phase.map { "\(timer) \($0)" } ?? timer }

  /// The longest active time in milliseconds: ten years. It bounds the number of days of a stretch; only an error of a
  /// clock makes a longer one.
  package static let longest: Int64 = 315_576_000_000
  /// The latest instant at which a part begins, in milliseconds since 1970 UTC.
  private static let latest = Int64(CivilDate.range.upperBound) * 86_400_000

  /// Calls a closure with the parts of the stretch in which it counts, in order, in milliseconds since 1970 UTC.
  ///
  /// The active time is laid out from the start, around the pauses. So the parts together are exactly the active time,
  /// even if the machine slept or its clock was set in the meantime. No part begins after ``latest``, however long the
  /// pauses are.
  package func forEachActivePart(_ body: (Range<Int64>) -> Void) {
    var left = activeTime
    var time = min(start, Self.latest)
    for pause in pauses where left > 0 {
      let begin = min(max(time, start.addingSaturated(pause.start)), Self.latest)
      let part = min(left, begin - time)
      if part > 0 { body(time..<(time + part)) }
      left -= part
      time = min(max(begin, begin.addingSaturated(pause.length)), Self.latest)
    }
    if left > 0 { body(time..<(time + left)) }
  }
}
