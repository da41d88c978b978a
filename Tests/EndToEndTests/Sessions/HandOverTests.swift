import Foundation
import Testing

/// A session is handed over from process to process, and either of them can be killed meanwhile.
struct HandOverTests {
  private struct Counts {
    /// The iterations of each timer that its hook has recorded.
    var fired: [String: [Int]] = [:]
    /// The fires of each timer that were reported as missed.
    var missed: [String: Int] = [:]
  }

  private let hook = "echo $CARILLON_EVENT $CARILLON_NAME $CARILLON_ITERATION $CARILLON_MISSED"

  private func serve(
    _ arguments: String..., environment: [String: String]
  ) throws -> ChildProcess {
    try ChildProcess(
      [Program.path(), "serve"] + arguments, environment: environment, streams: .init())
  }

  /// No hook runs twice for one fire, a fire without a hook is reported as missed, and one process has the complete
  /// session afterwards.
  @Test(.timeLimit(.minutes(20))) func killedHandOversLoseNothing() async throws {
    var random = SystemRandomNumberGenerator()
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = Program.environment(in: folder)
    let configuration = folder.path("config/carillon")
    try FileManager.default.createDirectory(
      atPath: configuration, withIntermediateDirectories: true)
    let command = "\(hook) >>\(folder.path("hooks"))"
    try """
    commands.at-once = 64
    [hooks]
    fired = '\(command)'
    missed = '\(command)'
    """.write(toFile: "\(configuration)/config.toml", atomically: true, encoding: .utf8)

    var owner = try serve(
      "a=every 50ms x1000000", "b=every 70ms x1000000", environment: environment)
    defer { owner.end() }
    let list = { () async throws -> Finished in
      try await run([Program.path(), "ctl", "list"], environment: environment, in: folder)
    }
    #expect(try await eventually { try await list().ending == .exited(0) })
    for round in 0..<12 {
      let successor = try serve("--take-over", environment: environment)
      try await Task.sleep(for: .milliseconds(Int.random(in: 0...60, using: &random)))
      if round % 3 == 0 { owner.end() } else if round % 3 == 1 { successor.end() }
      let hasOwner = try await eventually {
        let ended = (owner.endingIfAny() != nil, successor.endingIfAny() != nil)
        if ended == (true, true) { return true }
        guard ended != (false, false) || round % 3 == 1 else { return false }
        return try await list().ending == .exited(0)
      }
      #expect(hasOwner, "round \(round)")
      if owner.endingIfAny() != nil {
        owner =
          successor.endingIfAny() == nil ? successor : try serve(environment: environment)
      } else {
        successor.end()
      }
      #expect(try await eventually { try await list().ending == .exited(0) }, "round \(round)")
    }
    let last = try await list()
    #expect(last.output.contains("a  ") && last.output.contains("b  "), "\(last.output)")
    _ = try await run([Program.path(), "ctl", "quit"], environment: environment, in: folder)
    #expect(try await owner.ending() == .exited(0))
    let counts = try counts(in: folder)
    for (name, iterations) in counts.fired {
      let distinct = Set(iterations)
      #expect(distinct.count == iterations.count, "\(name) has fired twice for one iteration")
      let absent = (iterations.max() ?? 0) - distinct.count
      #expect(absent <= counts.missed[name, default: 0], "\(name): \(absent) fires are missing")
    }
    #expect(counts.fired.count == 2)
  }

  /// A timer that followed the time of day and has ended does not delay a hand-over. One that is due within its tolerance
  /// fires before it.
  @Test(arguments: ["", " tolerance 10m"])
  func aDueTimeOfDayTimerIsHandedOver(_ words: String) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = Program.environment(in: folder)
    let formatter = DateFormatter()
    formatter.timeZone = TimeZone(identifier: "UTC")
    formatter.dateFormat = "HH:mm:ss"
    let due = Date(timeIntervalSinceNow: 3)
    let owner = try serve(
      "a=at \(formatter.string(from: due))\(words) run 'touch \(folder.path("fired"))'", "b=10m",
      environment: environment)
    defer { owner.end() }
    let list = { () async throws -> String in
      try await run(
        [Program.path(), "ctl", "list", "--format", "{name} {state}"], environment: environment,
        in: folder
      ).output
    }
    let hasFired = { FileManager.default.fileExists(atPath: folder.path("fired")) }
    #expect(try await eventually { try await list() == "a finished\nb running\n" })
    if words.isEmpty {
      #expect(try await eventually { hasFired() })
    } else {
      #expect(!hasFired())
    }
    let successor = try serve("--take-over", environment: environment)
    defer { successor.end() }
    #expect(try await owner.ending() == .exited(0))
    #expect(hasFired())
    #expect(try await eventually { try await list() == "a finished\nb running\n" })
  }

  /// A client that watches gets each event once, whichever process owns the session at that time, and however long the
  /// client takes to connect to it.
  @Test func watchersMissNoEvent() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = Program.environment(in: folder)
    let timers = (1...100).map { "t\($0)=\(6000 + 60 * $0)ms" }
    var owner = try ChildProcess(
      [Program.path(), "serve"] + timers + ["end=1h"], environment: environment, streams: .init())
    defer { owner.end() }
    let control = { (words: String...) async throws -> Finished in
      try await run([Program.path(), "ctl"] + words, environment: environment, in: folder)
    }
    #expect(try await eventually { try await control("list").ending == .exited(0) })
    let watcher = try ChildProcess(
      [Program.path(), "ctl", "watch"], environment: environment,
      streams: .init(output: folder.path("watched")))
    defer { watcher.end() }
    #expect(try await eventually { (try? folder.text(of: "watched"))?.contains("end ") == true })
    watcher.send(SIGSTOP)
    // Timers that finished before the client watched have no event.
    let running = Set(
      try folder.text(of: "watched").matches(of: /(?m)^(t\d+) .* running/).map { String($0.1) })
    #expect(running.count > 10)
    var handOverCount = 0
    var isRunning = true
    while isRunning || handOverCount < 6 {
      let successor = try serve("--take-over", environment: environment)
      #expect(try await owner.ending() == .exited(0))
      owner = successor
      handOverCount += 1
      #expect(try await eventually { try await control("list").ending == .exited(0) })
      let list = try await control("list", "--format", "{name} {state}").output
      isRunning = list.contains(/t\d+ running/)
      // It misses the first owners, and meets the others.
      if handOverCount == 3 { watcher.send(SIGCONT) }
    }
    _ = try await control("delete", "end")
    #expect(
      try await eventually { (try? folder.text(of: "watched"))?.contains("end deleted") == true })
    let finished = try folder.text(of: "watched").split(separator: "\n").compactMap {
      $0.firstMatch(of: /^\d\S* (?:[AP]M )?(t\d+) finished/).map { String($0.1) }
    }
    let counts = Dictionary(grouping: finished, by: \.self).mapValues(\.count)
    for timer in running { #expect(counts[timer] == 1, "\(timer), \(handOverCount) hand-overs") }
    _ = try await control("quit")
  }

  /// Also when several processes want the session at once.
  @Test func watchersMissNoEventWhileTakeOversOverlap() async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let environment = Program.environment(in: folder)
    let timers = (1...200).map { "t\($0)=\(4000 + 30 * $0)ms" }
    var owners = [
      try ChildProcess(
        [Program.path(), "serve"] + timers + ["end=1h"], environment: environment, streams: .init())
    ]
    defer { for owner in owners { owner.end() } }
    let control = { (words: String...) async throws -> Finished in
      try await run([Program.path(), "ctl"] + words, environment: environment, in: folder)
    }
    #expect(try await eventually { try await control("list").ending == .exited(0) })
    let watcher = try ChildProcess(
      [Program.path(), "ctl", "watch"], environment: environment,
      streams: .init(output: folder.path("watched")))
    defer { watcher.end() }
    let watched = { (try? folder.text(of: "watched")) ?? "" }
    #expect(try await eventually { watched().contains("end ") })
    let running = Set(watched().matches(of: /(?m)^(t\d+) .* running/).map { String($0.1) })
    #expect(running.count > 10)
    var isRunning = true
    while isRunning {
      for _ in 0..<4 { owners.append(try serve("--take-over", environment: environment)) }
      // All but one have passed the session on.
      #expect(try await eventually { owners.count { $0.endingIfAny() == nil } == 1 })
      owners.removeAll { $0.endingIfAny() != nil }
      let list = try await control("list", "--format", "{name} {state}").output
      isRunning = list.contains(/t\d+ running/)
    }
    _ = try await control("delete", "end")
    #expect(try await eventually { watched().contains("end deleted") })
    let finished = watched().split(separator: "\n").compactMap {
      $0.firstMatch(of: /^\d\S* (?:[AP]M )?(t\d+) finished/).map { String($0.1) }
    }
    let counts = Dictionary(grouping: finished, by: \.self).mapValues(\.count)
    for timer in running { #expect(counts[timer] == 1, "\(timer)") }
    _ = try await control("quit")
  }

  private func counts(in folder: TemporaryFolder) throws -> Counts {
    var counts = Counts()
    for line in try folder.text(of: "hooks").split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count == 4, let iteration = Int(words[2]), let missed = Int(words[3]) else {
        Issue.record("torn line \(line)")
        continue
      }
      let name = String(words[1])
      if words[0] == "fired" { counts.fired[name, default: []].append(iteration) }
      counts.missed[name, default: 0] += missed
    }
    return counts
  }
}
