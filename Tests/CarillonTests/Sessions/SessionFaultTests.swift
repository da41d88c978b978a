import Dispatch
import Platform
import Synchronization
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// Each system call of loading and saving fails in turn. Afterwards either the old session or the new one
/// is complete, and the error is reported.
struct SessionFaultTests {
  private static let old = session("tea=3m paused")
  private static let new = session(
    "tea=3m paused egg=5m paused note '\(String(repeating: "x", count: 99))'")
  /// A call that fails with EINTR is repeated, and succeeds.
  private static let errors = [EIO, ENOSPC, EDQUOT, EACCES, EROFS, EMFILE, ENOMEM, EINTR]

  private static func session(_ words: String) -> [UInt8] {
    let wall = WallInstant(nanosecondsSince1970: 1_795_260_946_000_000_000)
    guard let specs = try? TimerSpec.parse(arguments: [words]) else { return [] }
    return SessionFile(specs, at: wall).bytes
  }

  private func save(_ bytes: [UInt8], in store: SessionStore) -> FileError? {
    do throws(FileError) {
      try store.save(bytes)
      return nil
    } catch {
      return error
    }
  }

  /// Makes each call in turn fail.
  /// - Returns: the number of calls.
  @discardableResult
  private func eachCall(
    _ error: Int32, andAllLaterOnes: Bool = false, _ body: (CallFaults) throws -> Void
  ) rethrows -> Int {
    var number = 0
    while true {
      let faults = CallFaults { [number] call, _ in
        call == number || (andAllLaterOnes && call > number) ? error : 0
      }
      try body(faults)
      guard faults.calls.count > number else { return number }
      number += 1
    }
  }

  /// With the failure of all later calls, the process has ended during the save.
  @Test(arguments: errors, [false, true])
  func aFailedSaveLeavesACompleteSession(error: Int32, isEnd: Bool) throws {
    // An interrupted call is repeated.
    guard error != EINTR || !isEnd else { return }
    let session = try TemporarySession(["main.json": Self.old])
    defer { session.remove() }
    let count = try eachCall(error, andAllLaterOnes: isEnd) { faults in
      #expect(save(Self.old, in: try session.store()) == nil)
      let fault = save(Self.new, in: try session.store(faults.files))
      let found = try #require(session.files["main.json"])
      let isNew = found == Self.new
      #expect(isNew || found == Self.old)
      if let fault { #expect(fault.description.hasPrefix(session.state)) }
      if fault == nil || error == EINTR { #expect(isNew) }
      // The next save succeeds.
      #expect(save(Self.new, in: try session.store()) == nil)
      #expect(session.files["main.json"] == Self.new)
    }
    #expect(count >= 8)
  }

  /// After a power failure, either the old session or the new one is complete: the bytes are on the disk before the
  /// new name is, and the new name before the save has succeeded.
  @Test func theBytesAreOnTheDiskBeforeTheName() throws {
    let session = try TemporarySession(["main.json": Self.old])
    defer { session.remove() }
    let faults = CallFaults { _, _ in 0 }
    #expect(save(Self.new, in: try session.store(faults.files)) == nil)
    #expect(
      faults.calls == [
        "readlink main.json", "unlink main.json.new", "open main.json.new", "write main.json.new",
        "fsync main.json.new", "rename main.json", "open sessions", "fsync sessions",
      ])
  }

  /// A pipe takes and gives bytes in parts.
  @Test(.timeLimit(.minutes(20))) func partialReadsAndWritesContinue() throws {
    let session = try TemporarySession()
    defer { session.remove() }
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
    try #require(mkfifo(session.path, 0o600) == 0)
    let writer = DispatchGroup()
    DispatchQueue.global().async(group: writer) {
      let descriptor = open(session.path, O_WRONLY)
      #expect(makeNonblocking(descriptor))
      try? FileSystem().write(bytes, to: descriptor, of: session.path)
      close(descriptor)
    }
    #expect(try FileSystem().contents(of: session.path) == bytes)
    writer.wait()
  }

  /// The session is read, or the error is reported; an unread file stays unchanged.
  @Test(arguments: errors) func aFailedLoadLosesNothing(error: Int32) throws {
    for bytes in [Self.old, Array("{ no session".utf8)] {
      let count = try eachCall(error) { faults in
        let session = try TemporarySession(["main.json": bytes])
        defer { session.remove() }
        let launch = try LaunchOptions.opening(try session.store(faults.files))
        defer { launch.ownership?.release() }
        let files = session.files
        #expect(files.contains { $0.key.hasPrefix("main.json") && $0.value == bytes })
        #expect(!launch.isFirstStart)
        let isRead = launch.restored?.timers.map(\.name) == ["tea"]
        #expect(isRead || launch.error != nil)
        if error == EINTR, bytes == Self.old { #expect(isRead && launch.ownership != nil) }
        // If the content is unknown, nothing is written.
        if launch.ownership != nil { #expect(isRead || files["main.json"] == nil) }
      }
      #expect(count > 7)
    }
  }

  @Test func filesAreAccessibleToTheirOwnerOnly() throws {
    let session = try TemporarySession()
    defer { session.remove() }
    #expect(rmdir(session.folder) == 0)
    let before = umask(0)
    defer { umask(before) }
    let here = try session.store()
    #expect(try here.acquireLock().isAcquired)
    try here.save(Self.new)
    for (path, expected) in [
      (here.folder, 0o700), (here.path, 0o600), ("\(here.folder)/main.lock", 0o600),
    ] as [(String, mode_t)] {
      var found = stat()
      #expect(stat(path, &found) == 0)
      #expect(found.st_mode & 0o777 == expected, "\(path)")
    }
  }

  @Test(arguments: [EINVAL, ENOTSUP]) func aFileSystemWithoutSyncIsSupported(error: Int32) throws {
    let session = try TemporarySession(["main.json": Self.old])
    defer { session.remove() }
    let faults = CallFaults { _, name in name == "fsync" ? error : 0 }
    #expect(save(Self.new, in: try session.store(faults.files)) == nil)
    #expect(session.files["main.json"] == Self.new)
  }

  private static let otherText = Array("someone's".utf8)

  /// Creates another file in the place of a session file; it has to stay unchanged.
  private func withOtherFile(_ test: (SessionStore, String) throws -> Void) throws {
    let session = try TemporarySession(["other": Self.otherText])
    defer { session.remove() }
    try test(try session.store(), "\(session.folder)/other")
    #expect(session.files["other"] == Self.otherText)
  }

  @Test func hardLinksAreNotOverwritten() throws {
    try withOtherFile { here, other in
      #expect(link(other, "\(here.path).new") == 0)
      try here.save(Self.new)
      #expect(try here.load() == Self.new)
      #expect(link(other, "\(here.folder)/main.lock") == 0)
      let fault = #expect(throws: FileError.self) { try here.acquireLock() }
      #expect(fault?.reason == "file has another name (a hard link)")
    }
  }

  @Test func symbolicLinksInPlaceOfTheFileAreNotFollowed() throws {
    try withOtherFile { here, other in
      #expect(symlink(other, "\(here.path).new") == 0)
      try here.save(Self.new)
      #expect(try here.load() == Self.new)
      #expect(symlink(other, "\(here.folder)/main.lock") == 0)
      #expect(throws: FileError.self) { try here.acquireLock() }
    }
  }

  /// Users who keep their files in a repository link to them.
  @Test(arguments: [true, false]) func aLinkedSessionFileStaysALink(isThere: Bool) throws {
    let session = try TemporarySession()
    defer { session.remove() }
    let here = try session.store()
    #expect(try here.acquireLock().isAcquired)
    let kept = "\(session.state)/kept.json"
    defer { for name in [kept, "\(kept).unreadable"] { unlink(name) } }
    #expect(symlink("../../kept.json", here.path) == 0)
    if isThere { close(open(kept, O_CREAT | O_WRONLY, 0o600)) }
    try here.save(Self.new)
    var found = stat()
    #expect(lstat(here.path, &found) == 0 && found.st_mode & S_IFMT == S_IFLNK)
    #expect(try FileSystem().contents(of: kept) == Self.new)
    #expect(try here.load() == Self.new)
    #expect(try here.quarantine(as: "unreadable") == "\(here.folder)/../../kept.json.unreadable")
    #expect(lstat(here.path, &found) == 0)
  }

  /// `carillon status` and `carillon ctl` look at the lock for a moment, and are no owners.
  @Test(.timeLimit(.minutes(20))) func aLookAtTheLockDoesNotHoldIt() throws {
    let session = try TemporarySession()
    defer { session.remove() }
    let here = try session.store()
    let isOver = Mutex(false)
    let looks = DispatchGroup()
    for _ in 0..<2 {
      DispatchQueue.global().async(group: looks) {
        while !isOver.withLock(\.self) { _ = here.isLocked }
      }
    }
    defer {
      isOver.withLock { $0 = true }
      looks.wait()
    }
    for _ in 0..<200 {
      switch try here.acquireLock() {
      case .acquired(let ownership):
        // There is one owner, whoever looks.
        #expect(try !here.acquireLock().isAcquired)
        ownership.release()
      case .held(let holder): Issue.record("held by \(holder)")
      }
    }
  }

  /// Between the release of a lock and the moment at which the successor takes it, nobody else gets it: a third process
  /// would have the session without its events and results.
  @Test func aReleasedLockBelongsToTheSuccessor() throws {
    let session = try TemporarySession()
    defer { session.remove() }
    let here = try session.store()
    func ownership(asSuccessor isSuccessor: Bool = false) throws -> SessionOwnership? {
      guard case .acquired(let ownership) = try here.acquireLock(asSuccessor: isSuccessor) else {
        return nil
      }
      return ownership
    }
    // The parent of this process lives, and is another one.
    let other = getppid()
    try #require(try ownership()).release(to: other)
    #expect(here.holder == SessionHolder(process: other))
    #expect(try ownership() == nil)
    try #require(try ownership(asSuccessor: true)).release(to: getpid())
    try #require(try ownership()).release(to: other)
    // The number can be that of another process ten seconds later, or in the future of a clock that was set back.
    for seconds in [-11.0, 3600] {
      let date = Date(timeIntervalSinceNow: seconds)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: here.lockPath)
      #expect(here.holder == nil)
    }
    try #require(try ownership()).release(to: pid_t.max)
    #expect(here.holder == nil)
    try #require(try ownership()).release()
    #expect(here.holder == nil)
  }

  /// Opening a pipe waits for the other end.
  @Test(.timeLimit(.minutes(20))) func pipesAreNotOpened() throws {
    let session = try TemporarySession()
    defer { session.remove() }
    let here = try session.store()
    #expect(try here.acquireLock().isAcquired)
    #expect(mkfifo(here.path, 0o600) == 0)
    let launch = try LaunchOptions.opening(here)
    #expect(launch.ownership == nil)
    let fault = #expect(throws: FileError.self) { try here.load() }
    #expect(fault?.description == "\(here.path): not a regular file")
    unlink(here.path)
    #expect(mkfifo("\(here.path).new", 0o600) == 0)
    try here.save(Self.new)
    #expect(try here.load() == Self.new)
    unlink("\(here.folder)/main.lock")
    #expect(mkfifo("\(here.folder)/main.lock", 0o600) == 0)
    #expect(throws: FileError.self) { try here.acquireLock() }
    _ = here.isLocked
  }

  @Test(arguments: [("main.json", 0o622), ("main.json", 0o620), ("", 0o777)])
  func filesWritableByOthersAreNotRead(name: String, mode: Int) throws {
    let session = try TemporarySession()
    defer { session.remove() }
    let here = try session.store()
    try here.save(Self.old)
    let path = name.isEmpty ? here.folder : "\(here.folder)/\(name)"
    #expect(chmod(path, mode_t(mode)) == 0)
    let launch = try LaunchOptions.opening(here)
    #expect(launch.restored == nil && launch.ownership == nil && !launch.isFirstStart)
    #expect(
      launch.error
        == "changes here are not saved: \(path): writable by others (expected: chmod go-w '\(path)')"
    )
    #expect(chmod(path, name.isEmpty ? 0o700 : 0o644) == 0)
    #expect(try here.load() == Self.old)
  }

  /// All that wait for the same save are called after it, and after each running save there is another if needed.
  @MainActor @Test func completionsFollowTheirSave() async throws {
    let session = try TemporarySession(["main.json": Self.old])
    defer { session.remove() }
    let isMuted = Mutex(false)
    let saver = SessionSaver(
      try session.store(),
      current: { (Board(isMuted: isMuted.withLock(\.self)), nil, .now()) },
      onError: { Issue.record("\($0)") })
    var saved: [Bool] = []
    let completion: SessionSaver.Completion = { error in
      #expect(error == nil)
      let file = try? SessionFile(session.files["main.json"] ?? [])
      saved.append(file?.board.isMuted == true)
    }
    saver.scheduleSave(afterFire: false)
    saver.whenSaved(completion)
    saver.whenSaved(completion)
    #expect(saved.isEmpty)
    try await until { saved.count == 2 }
    #expect(saved == [false, false])
    // Nothing has changed.
    saver.whenSaved(completion)
    #expect(saved.count == 3)
    isMuted.withLock { $0 = true }
    saver.scheduleSave(afterFire: false)
    saver.whenSaved(completion)
    try await until { saved.count == 4 }
    #expect(saved.last == true)
    isMuted.withLock { $0 = false }
    saver.scheduleSave(afterFire: false)
    saver.whenSaved(completion)
    #expect(saver.finish() == nil)
    #expect(saved == [false, false, false, true, false])
  }

  /// A full disk is reported for each change, and the session is saved when there is space again.
  @MainActor @Test func theDashboardReportsAFailedSave() async throws {
    let session = try TemporarySession(["main.json": Self.old])
    defer { session.remove() }
    let hasRoom = Mutex(false)
    let faults = CallFaults { _, _ in hasRoom.withLock(\.self) ? 0 : ENOSPC }
    var errors: [String] = []
    let saver = SessionSaver(
      try session.store(faults.files),
      current: { (Board(), nil, .now()) },
      onError: { errors.append($0) })
    saver.scheduleSave(afterFire: false)
    try await until { !errors.isEmpty }
    #expect(
      errors == ["the session cannot be saved: \(session.path): No space left on device"])
    #expect(session.files["main.json"] == Self.old)
    saver.scheduleSave(afterFire: false)
    try await until { errors.count == 2 }
    #expect(errors.first == errors.last)
    // The final save writes the session that could not be saved before.
    hasRoom.withLock { $0 = true }
    #expect(saver.finish() == nil)
    #expect(session.files["main.json"] != Self.old)
    #expect(try SessionFile(session.files["main.json"] ?? []).timers().isEmpty)
  }
}
