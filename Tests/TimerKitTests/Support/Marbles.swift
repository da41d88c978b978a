@testable import TimerKit

/// An action on a timer in a marble diagram: see ``marbles(_:first:_:)``.
enum Marble: Sendable {
  case call(Character)
  case cancelPending
  case flush
}

/// The order of a call and an alarm at the same instant.
enum MarbleOrder: Sendable, CaseIterable {
  case calls
  case alarms
}

/// Performs the actions of `line` on a virtual clock, and draws the deliveries in the same notation: one
/// character per millisecond.
///
/// ```
/// -    nothing
/// a    a call with this value, or its delivery
/// X    cancelPending
/// F    flush
/// (aF) several in the same millisecond
/// ```
/// - Parameter make: creates the timer, which reports its deliveries to the given closure. Returns a
///   closure that performs an action.
func marbles(
  _ line: String, first order: MarbleOrder = .calls,
  _ make: (VirtualClock, _ report: @escaping @Sendable (Character) -> Void) throws ->
    @Sendable (Marble) -> Void
) -> String {
  // Not at zero, so that no result is correct by chance.
  let clock = VirtualClock(startingAt: .seconds(1_000))
  let start = clock.now
  let steps = parse(line)
  let drawing = Guarded(steps.map { _ in "" })
  let timer = Guarded<(@Sendable (Marble) -> Void)?>(nil)

  // Timers of one deadline fire in the order of their creation.
  func makeCallers() -> [DeadlineTimer] {
    steps.enumerated().map { index, marbles in
      let caller = DeadlineTimer(clock: .virtual(clock)) { _, _ in
        let perform = timer.withLock { $0 }
        for marble in marbles { perform?(marble) }
      }
      caller.schedule(at: start.advanced(by: .milliseconds(index)))
      return caller
    }
  }
  let early = order == .calls ? makeCallers() : []
  let perform: @Sendable (Marble) -> Void
  do {
    perform = try make(clock) { value in
      let step = Int((clock.now.nanoseconds - start.nanoseconds) / 1_000_000)
      drawing.withLock { $0[step].append(value) }
    }
  } catch {
    return "\(error)"
  }
  let late = order == .alarms ? makeCallers() : []
  timer.withLock { $0 = perform }
  clock.advance(by: .milliseconds(steps.count - 1))
  timer.withLock { $0 = nil }
  withExtendedLifetime((early, late)) {}

  let columns = drawing.withLock { $0 }
  return columns.map { $0.count > 1 ? "(\($0))" : $0.isEmpty ? "-" : $0 }.joined()
}

/// Returns the actions of each millisecond. Spaces are ignored.
private func parse(_ line: String) -> [[Marble]] {
  var steps: [[Marble]] = []
  var isInGroup = false
  for character in line where character != " " {
    if character == ")" {
      isInGroup = false
      continue
    }
    if !isInGroup { steps.append([]) }
    switch character {
    case "-": break
    case "(": isInGroup = true
    case "X": steps[steps.count - 1].append(.cancelPending)
    case "F": steps[steps.count - 1].append(.flush)
    default: steps[steps.count - 1].append(.call(character))
    }
  }
  return steps
}
