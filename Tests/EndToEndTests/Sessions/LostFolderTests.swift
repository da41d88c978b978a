import Foundation
import Testing

/// The folders of a session that others remove while it has an owner: the system removes `$XDG_RUNTIME_DIR` with the last
/// login, and a cleaner, or the user, anything else.
struct LostFolderTests {
  private let folder: TemporaryFolder
  private let environment: [String: String]
  private var runtime: String { folder.path("run") }
  private var socket: String { "\(runtime)/carillon/main.sock" }
  /// The socket of an owner without `$XDG_RUNTIME_DIR`.
  private var otherSocket: String { folder.path("state/carillon/run/main.sock") }
  private var lock: String { folder.path("state/carillon/sessions/main.lock") }

  init() throws {
    folder = try TemporaryFolder()
    environment = Program.environment(in: folder, with: ["XDG_RUNTIME_DIR": folder.path("run")])
    try makeRuntimeFolder()
  }

  private func makeRuntimeFolder() throws {
    try FileManager.default.createDirectory(
      atPath: runtime, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
  }

  private func control(
    _ words: String..., environment: [String: String]? = nil
  ) async throws -> Finished {
    try await run(
      [Program.path(), "ctl"] + words, environment: environment ?? self.environment, in: folder)
  }

  private func exists(_ path: String) -> Bool { FileManager.default.fileExists(atPath: path) }

  /// Runs `carillon serve`, and waits until it owns the session.
  private func serve(
    _ timers: [String] = ["tea=3m"], log: String = "log", environment: [String: String]? = nil
  ) async throws -> ChildProcess {
    let child = try ChildProcess(
      [Program.path(), "serve"] + timers, environment: environment ?? self.environment,
      streams: .init(error: folder.path(log)))
    let listens = try await eventually { try await control("list").ending == .exited(0) }
    if !listens { child.end() }
    try #require(listens)
    return child
  }

  @Test(arguments: ["rm main.sock", "rm -r .", "rm -r ..", "mv . ../moved", "mv .. ../../moved"])
  func theSocketIsMadeAgain(change: String) async throws {
    defer { folder.remove() }
    let child = try await serve()
    defer { child.end() }
    let watcher = try LocalSocket(.client, at: socket)
    #expect(try await watcher.send(#"{"version":1,"command":"watch"}"# + "\n"))
    #expect(try await watcher.line().contains(#""ok":true"#))
    let words = change.split(separator: " ").map { word in
      word.hasPrefix(".") || word.hasSuffix("sock") || word.hasSuffix("moved")
        ? URL(fileURLWithPath: "\(runtime)/carillon/\(word)").standardizedFileURL.path
        : String(word)
    }
    #expect(try await run(words, environment: environment, in: folder).ending == .exited(0))
    // As at the next login.
    if !exists(runtime) { try makeRuntimeFolder() }
    let paused = try await control("pause", "tea")
    #expect(paused.ending == .exited(0), "\(paused)")
    #expect(try await eventually { exists(socket) })
    // Its client is still connected.
    #expect(try await watcher.line().contains(#""event":"paused""#))
    #expect(try await control("quit").ending == .exited(0))
    #expect(!exists(socket) && !exists(otherSocket))
  }

  @Test func withoutTheRuntimeFolderTheSocketIsInTheStateFolder() async throws {
    defer { folder.remove() }
    let child = try await serve()
    defer { child.end() }
    try FileManager.default.removeItem(atPath: runtime)
    #expect(try await eventually { exists(otherSocket) })
    #expect(try await control("pause", "tea").ending == .exited(0))
    #expect(try await control("add", "egg=5m").ending == .exited(0))
    try makeRuntimeFolder()
    #expect(try await eventually { exists(socket) && !exists(otherSocket) })
    #expect(try await control("list", "--format", "{name}").output == "tea\negg\n")
  }

  /// Of `cron`, `su` and some remote logins.
  @Test(arguments: [false, true])
  func aClientWithAnotherEnvironmentFindsTheOwner(ownerHasFolder: Bool) async throws {
    defer { folder.remove() }
    let other = Program.environment(in: folder, with: ["XDG_RUNTIME_DIR": nil])
    let (owners, clients) = ownerHasFolder ? (environment, other) : (other, environment)
    let child = try await serve(environment: owners)
    defer { child.end() }
    #expect(exists(ownerHasFolder ? socket : otherSocket))
    #expect(try await control("pause", "tea", environment: clients).ending == .exited(0))
    let added = try await control("add", "egg=5m", environment: clients)
    #expect(added.output == "egg\n", "\(added)")
    let second = try await run([Program.path(), "serve"], environment: clients, in: folder)
    #expect(second.error.contains("is open in a background process, \(child.pid)"), "\(second)")
  }

  /// Two state folders beside one runtime folder are two sessions.
  @Test func anotherStateFolderIsAnotherSession() async throws {
    defer { folder.remove() }
    let child = try await serve()
    defer { child.end() }
    var other = environment
    other["XDG_STATE_HOME"] = folder.path("other")
    let none = try await control("list", environment: other)
    #expect(none.ending == .exited(3), "\(none)")
    #expect(try await control("add", "egg=5m", environment: other).output == "egg\n")
    #expect(try await control("list", "--format", "{name}", environment: other).output == "egg\n")
    #expect(try await control("list", "--format", "{name}").output == "tea\n")
    #expect(try await control("quit", environment: other).ending == .exited(0))
    #expect(try await control("list").ending == .exited(0))
  }

  @Test func anOwnerThatCannotListenIsNamedWithWhatEndsIt() async throws {
    defer { folder.remove() }
    for path in [socket, otherSocket] {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }
    let child = try ChildProcess(
      [Program.path(), "serve", "tea=3m"], environment: environment,
      streams: .init(error: folder.path("log")))
    defer { child.end() }
    #expect(try await eventually { try folder.text(of: "log").contains("not a socket") })
    let refused = try await control("list")
    #expect(refused.ending == .exited(3))
    #expect(
      refused.error.contains("process \(child.pid)") && refused.error.contains("kill \(child.pid)"),
      "\(refused)")
    // At the next change the owner tries again.
    for path in [socket, otherSocket] { try FileManager.default.removeItem(atPath: path) }
    #expect(try await eventually { try await control("list").ending == .exited(0) })
  }

  @Test func theStateFolderIsMadeAgain() async throws {
    defer { folder.remove() }
    let child = try await serve()
    defer { child.end() }
    try FileManager.default.removeItem(atPath: folder.path("state/carillon"))
    let added = try await control("add", "egg=5m")
    #expect(added.ending == .exited(0) && !added.error.contains("not saved"), "\(added)")
    let saved = try folder.text(of: "state/carillon/sessions/main.json")
    #expect(saved.contains("tea") && saved.contains("egg"))
    try FileManager.default.removeItem(atPath: folder.path("state"))
    #expect(try await control("quit").ending == .exited(0))
    #expect(try folder.text(of: "state/carillon/sessions/main.json").contains("egg"))
  }

  /// The socket means an owner, also without its lock.
  @Test func withoutTheLockThereIsOneOwner() async throws {
    defer { folder.remove() }
    let child = try await serve()
    defer { child.end() }
    for _ in 0..<2 {
      try FileManager.default.removeItem(atPath: lock)
      let second = try await run(
        [Program.path(), "serve", "egg=5m"], environment: environment, in: folder)
      #expect(second.ending == .exited(1) && second.error.contains("is open in"), "\(second)")
      let third = try await run(
        [Program.path(), "run", "--session", "main", "1s"], environment: environment, in: folder)
      #expect(third.ending == .exited(2) && third.error.contains("is open in"), "\(third)")
    }
    try FileManager.default.removeItem(atPath: lock)
    let next = try ChildProcess(
      [Program.path(), "serve", "--take-over"], environment: environment,
      streams: .init(error: folder.path("next")))
    defer { next.end() }
    #expect(try await child.ending() == .exited(0))
    #expect(try await eventually { try await control("pause", "tea").ending == .exited(0) })
    #expect(next.endingIfAny() == nil)
  }

  /// An owner whose lock and socket were removed while it was suspended, and whose session another process has opened
  /// since, writes its file no more.
  @Test func aSessionThatIsLostToAnotherOwnerIsNotWritten() async throws {
    defer { folder.remove() }
    let first = try await serve(["tea=3m"], log: "first")
    defer { first.end() }
    _ = try await control("pause", "tea")
    first.send(SIGSTOP)
    #expect(try await first.hasStopped())
    try FileManager.default.removeItem(atPath: lock)
    try FileManager.default.removeItem(atPath: socket)
    let second = try await serve(["egg=5m"], log: "second")
    defer { second.end() }
    first.send(SIGCONT)
    #expect(try await first.ending() == .exited(1))
    let log = try folder.text(of: "first")
    #expect(log.contains("process \(second.pid)") && log.contains("main.json.lost"), "\(log)")
    #expect(try folder.text(of: "state/carillon/sessions/main.json.lost").contains("tea"))
    #expect(
      try await eventually {
        try folder.text(of: "second").contains("\(first.pid), which saves it no more")
      })
    #expect(try await control("list", "--format", "{name}").output == "tea\negg\n")
    #expect(exists(socket))
  }
}
