import ArgumentParser
import Dashboard
import TimerKit

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `carillon status`: what the saved session holds.
struct Status: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "status",
    abstract: "Print the timers of the saved session.",
    discussion: """
      No board need be open: the session says when each timer is due. So this serves
      in the status lines of tmux, waybar, i3status and the like.

        carillon status                                  all timers
        carillon status --next --format '{name} {left}'  the one that rings next
        carillon status tea --format '{left}'            one by its name
        carillon status --json                           an object a line

      In a format: \(StatusText.fields.map { "{\($0)}" }.joined(separator: " ")).
      A name can hold anything: --escape tmux, markup (as in waybar) or json writes
      it so that whoever reads it takes nothing of it for something else.
      Exit status: 0, or 1 where there is no such timer.
      """)

  @Argument(help: ArgumentHelp("The names of timers; without any, all of them.", valueName: "name"))
  var names: [String] = []

  @Flag(help: "Print JSON, an object a line.")
  var json = false

  @Flag(help: "Only the timer that rings next.")
  var next = false

  @Option(help: "Print this for each timer.")
  var format: String?

  @Option(
    help: ArgumentHelp(
      "Write what a format asks for so that tmux, markup or json keeps it as it is.",
      valueName: "reader"))
  var escape: StatusText.Escape?

  func validate() throws {
    if escape != nil, format == nil { throw ValidationError("--escape goes with --format.") }
    if let field = format.flatMap(StatusText.unknownField(in:)) {
      let known = StatusText.fields.map { "{\($0)}" }.joined(separator: ", ")
      throw ValidationError("--format: unknown field '{\(field)}' (expected \(known))")
    }
    if json, format != nil { throw ValidationError("--json and --format are one or the other.") }
  }

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    try StandardOutput.check()
    let now = Moment.now()
    var text = StatusText(
      timers: try current(environment, at: now), now: now,
      uses24Hours: !TimeOfDay.uses12Hours(environment: environment))
    text.escape = escape
    let isNamed = !names.isEmpty
    if isNamed { text.timers = try names.flatMap { name in try named(name, in: text.timers) } }
    if next {
      text.timers =
        text.timers.filter { $0.phase == .running && $0.timeLeft(at: now) != nil }
        .min { $0.timeLeft(at: now) ?? .zero < $1.timeLeft(at: now) ?? .zero }.map { [$0] } ?? []
    }
    try StandardOutput.write(json ? text.json : format.map(text.formatted) ?? text.table)
  }

  private func named(_ name: String, in timers: [SavedTimer]) throws -> [SavedTimer] {
    let found = timers.filter { $0.name == name }
    if found.isEmpty {
      let near = Spelling.nearest(to: name, of: timers.map(\.name))
      throw StatusFault(
        description: "there is no timer “\(name)”" + (near.map { ": did you mean “\($0)”?" } ?? ""))
    }
    return found
  }

  private func current(_ environment: [String: String], at now: Moment) throws -> [SavedTimer] {
    guard let store = SessionStore(environment: environment), let bytes = try store.load() else {
      return []
    }
    do {
      let saved = try SessionFile(bytes).savedTimers()
      // The timers of a board that is open are running; else the next one restores them as configured.
      let resumption =
        store.isClaimed
        ? .catchUp : try Configuration.read(nil, environment: environment).resumption
      return TimerAbsence(of: saved, resumption, until: now).timers
    } catch let fault as ConfigurationFault {
      throw fault
    } catch {
      throw StatusFault(description: "\(store.path): \(error)")
    }
  }
}

extension StatusText.Escape: ExpressibleByArgument {}

/// Why there is no status to tell.
struct StatusFault: Error, CustomStringConvertible {
  var description: String
}
