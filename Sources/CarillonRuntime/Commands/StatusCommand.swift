import Platform
import TimerBoard
import TimerKit

/// `carillon status`: prints the current timers of the saved session.
package struct StatusCommand {
  /// The names of timers; empty for all timers.
  package var names: [String] = []
  package var isJSON = false
  /// A Boolean value that indicates whether only the timer that fires next is printed.
  package var printsNextOnly = false
  package var format: String?
  package var escape: StatusText.Escape?

  private struct Failure: ProgramError {
    var description: String
  }

  package init() {}

  package func run() throws {
    if let field = format.flatMap(StatusText.unknownField(in:)) {
      let known = StatusText.fields.map { "{\($0)}" }.joined(separator: ", ")
      throw UsageError("status: --format: unknown field '{\(field)}' (expected \(known))")
    }
    let environment = ProcessInfo.processInfo.environment
    try StandardOutput.check()
    let now = ClockReading.now()
    var text = StatusText(
      timers: try current(environment, at: now), now: now,
      uses24Hours: !TimeOfDay.uses12Hours(environment: environment))
    text.escape = escape
    if !names.isEmpty {
      text.timers = try names.flatMap { name in try named(name, in: text.timers) }
    }
    if printsNextOnly {
      text.timers =
        text.timers.filter { $0.state == .running && $0.timeLeft(at: now) != nil }
        .min { $0.timeLeft(at: now) ?? .zero < $1.timeLeft(at: now) ?? .zero }.map { [$0] } ?? []
    }
    try StandardOutput.write(isJSON ? text.json : format.map(text.formatted) ?? text.table)
  }

  private func named(_ name: String, in timers: [SavedTimer]) throws(Failure) -> [SavedTimer] {
    let found = timers.filter { $0.name == name }
    if found.isEmpty {
      let nearest = Suggestion.nearest(to: name, of: timers.map(\.name))
      throw Failure(
        description: "status: unknown timer '\(name)'"
          + (nearest.map { " (did you mean '\($0)'?)" } ?? ""))
    }
    return found
  }

  private func current(_ environment: [String: String], at now: ClockReading) throws -> [SavedTimer]
  {
    guard let store = SessionStore(environment: environment), let bytes = try store.load() else {
      return []
    }
    let saved: [SavedTimer]
    do throws(SessionFile.Fault) {
      saved = try SessionFile(bytes).savedTimers()
    } catch {
      throw Failure(description: "\(store.path): \(error)")
    }
    // If a dashboard has the session open, its timers are running; otherwise they continue as configured.
    let policy =
      store.isLocked
      ? .catchUp : try Configuration.read(nil, environment: environment).restorePolicy
    return OfflineCatchUp(of: saved, policy, until: now).timers
  }
}
