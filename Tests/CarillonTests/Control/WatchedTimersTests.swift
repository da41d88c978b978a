import Testing

@testable import CarillonRuntime
@testable import TimerBoard

/// The timers of `carillon ctl watch`.
struct WatchedTimersTests {
  private func session() throws -> SessionFile {
    let specs = try TimerSpec.parse(arguments: ["tea=3m every 7m every 9m group box"])
    var file = SessionFile(specs, at: SessionSample.wall)
    for (index, id) in [4, 2, 3].enumerated() { file.board.timers[index].id = TimerID(id) }
    return file
  }

  private func event(_ timer: String, _ id: Int, group: String = "") throws -> WatchedEvent {
    let group = group.isEmpty ? "" : #","group":"\#(group)""#
    let text = #"{"time":"-","timer":"\#(timer)","id":\#(id)\#(group),"event":"paused"}"#
    return try WatchedEvent(Array(text.utf8))
  }

  @Test func namesGroupsAndReferencesAreFound() throws {
    for (names, expected) in [
      ([], ["tea", "every 7m", "every 9m"]), (["box", "tea"], ["tea", "every 9m"]),
      (["#2", "every 7m"], ["every 7m"]), (["#3", "#4"], ["tea", "every 9m"]),
    ] as [([String], [String])] {
      var watched = WatchedTimers(names: names)
      let found = try watched.timers(in: session())
      #expect(found.map(\.spec.title) == expected, "\(names)")
    }
    var unknown = WatchedTimers(names: ["tea", "#9"])
    let failure = #expect(throws: ProgramFailure.self) { try unknown.timers(in: session()) }
    #expect(failure?.description == "ctl: unknown timer or group '#9'")
  }

  @Test func theirEventsAreIncluded() throws {
    var watched = WatchedTimers(names: ["#3", "tea", "den"])
    // A session in which the group has a timer.
    var file = try session()
    file.board.timers[1].timer += " group den"
    _ = try watched.timers(in: file)
    #expect(try watched.includesTimer(of: event("every 9m", 3)))
    #expect(try watched.includesTimer(of: event("tea", 4)))
    #expect(try watched.includesTimer(of: event("every 7m", 2, group: "den")))
    #expect(try !watched.includesTimer(of: event("egg", 5, group: "box")))
    // Another timer of the same kind.
    #expect(try !watched.includesTimer(of: event("every 9m", 6)))
    #expect(try WatchedTimers(names: []).includesTimer(of: event("egg", 5)))
  }
}
