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
  private static let path = "/state/carillon/sessions/main.json"
  private static let old = session("tea=3m paused")
  private static let new = session(
    "tea=3m paused egg=5m paused note '\(String(repeating: "x", count: 99))'")
  /// A call that fails with EINTR is repeated, and succeeds.
  private static let errors = [EIO, ENOSPC, EDQUOT, EACCES, EROFS, EMFILE, ENOMEM, EINTR]

  private static func session(_ words: String) -> [UInt8] {
    let wall = WallInstant(nanosecondsSince1970: 1_795_260_946_000_000_000)
    guard let specs = try? TimerSpec.parse(line: words) else { return [] }
    let timers = specs.map { SavedTimer(startOf: $0, at: ClockReading(wall: wall)) }
    return SessionFile(timers, at: wall).bytes
  }

  private func store(_ calls: FileCalls, in folder: String = "/state") throws -> SessionStore {
    try #require(SessionStore(environment: ["XDG_STATE_HOME": folder], calls: calls))
  }

  private func save(_ bytes: [UInt8], in store: SessionStore) -> FileError? {
    do throws(FileError) {
      try store.save(bytes)
      return nil
    } catch {
      return error
    }
  }

  private func withFolder(_ test: (String) throws -> Void) throws {
    var template = Array("/tmp/carillon-test-XXXXXX\0".utf8CString)
    let folder = String(cString: try #require(mkdtemp(&template)))
    defer {
      for name in ["main.json.new", "main.json", "main.lock"] {
        unlink("\(folder)/carillon/sessions/\(name)")
      }
      rmdir("\(folder)/carillon/sessions")
      rmdir("\(folder)/carillon")
      rmdir(folder)
    }
    try test(folder)
  }

  /// Injects a fault into each call in turn.
  /// - Returns: the number of calls.
  @discardableResult
  private func eachCall(
    _ fault: CallFaults.Fault, andAllLaterOnes: Bool = false, _ body: (CallFaults) throws -> Void
  ) rethrows -> Int {
    var number = 0
    while true {
      let faults = CallFaults { [number] call in
        call == number || (andAllLaterOnes && call > number) ? fault : nil
      }
      try body(faults)
      guard faults.callCount > number else { return number }
      number += 1
    }
  }

  @Test(arguments: errors) func aFailedSaveLeavesACompleteSession(error: Int32) throws {
    let count = try eachCall(.fails(error)) { faults in
      let disk = VirtualDisk([Self.path: Self.old])
      let fault = save(Self.new, in: try store(disk.calls.with(faults)))
      let found = try #require(disk.content[Self.path])
      let isWhole = found == Self.old || found == Self.new
      #expect(isWhole)
      if let fault { #expect(fault.description.hasPrefix("/state/carillon")) }
      let isNew = found == Self.new
      if fault == nil || error == EINTR { #expect(isNew) }
      #expect(disk.openCount == 0)
      // The next save succeeds.
      #expect(save(Self.new, in: try store(disk.calls)) == nil)
      #expect(disk.content[Self.path] == Self.new)
    }
    #expect(count >= 9)
  }

  /// The process ends, or the power fails, during the save.
  @Test func aPowerFailureLeavesACompleteSession() throws {
    var outcomes = 0
    try eachCall(.fails(EIO), andAllLaterOnes: true) { faults in
      let disk = VirtualDisk([Self.path: Self.old])
      let fault = save(Self.new, in: try store(disk.calls.with(faults)))
      for content in disk.afterPowerCut() {
        let found = content[Self.path]
        #expect(found == Self.old || found == Self.new)
        // A save that was reported as successful is durable.
        if fault == nil { #expect(found == Self.new) }
        outcomes += 1
      }
    }
    #expect(outcomes > 12)
  }

  @Test func partialReadsAndWritesContinue() throws {
    let disk = VirtualDisk([Self.path: Self.old])
    let calls = disk.calls.with(CallFaults { _ in .stopsShort })
    #expect(save(Self.new, in: try store(calls)) == nil)
    #expect(disk.content[Self.path] == Self.new)
    #expect(try store(calls).load() == Self.new)
    // The disk fills up during the save.
    let full = disk.calls.with(CallFaults { $0 == 0 ? nil : $0 < 5 ? .stopsShort : .fails(ENOSPC) })
    #expect(save(Self.old, in: try store(full))?.description.contains("No space left") == true)
    #expect(disk.content[Self.path] == Self.new)
  }

  /// The session is read, or the error is reported; an unread file stays unchanged.
  @Test(arguments: errors) func aFailedLoadLosesNothing(error: Int32) throws {
    for bytes in [Self.old, Array("{ no session".utf8)] {
      let count = try eachCall(.fails(error)) { faults in
        let disk = VirtualDisk([Self.path: bytes])
        let launch = try LaunchOptions.opening(try store(disk.calls.with(faults)))
        let content = disk.content
        let kept = content.names.keys.contains {
          $0.hasPrefix(Self.path) && content[$0] == bytes
        }
        #expect(kept)
        #expect(!launch.isTour)
        let isRead = launch.saved.map(\.name) == ["tea"]
        #expect(isRead || launch.error != nil)
        if error == EINTR, bytes == Self.old { #expect(isRead && launch.ownership != nil) }
        // If the content is unknown, nothing is written.
        if launch.ownership != nil { #expect(isRead || content[Self.path] == nil) }
        // At most the lock file.
        #expect(disk.openCount <= 1)
      }
      #expect(count > 7)
    }
  }

  @Test func filesAreAccessibleToTheirOwnerOnly() throws {
    try withFolder { folder in
      let before = umask(0)
      defer { umask(before) }
      let here = try store(.system, in: folder)
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
  }

  @Test(arguments: [EINVAL, ENOTSUP]) func aFileSystemWithoutSyncIsSupported(error: Int32) throws {
    let disk = VirtualDisk([Self.path: Self.old])
    var calls = disk.calls
    calls.sync = { _ in failure(error) }
    #expect(save(Self.new, in: try store(calls)) == nil)
    let isNew = disk.content[Self.path] == Self.new
    #expect(isNew)
  }

  private static let otherText = Array("someone's".utf8)

  /// Creates another file in the place of a session file; it has to stay unchanged.
  private func withOtherFile(_ test: (SessionStore, String) throws -> Void) throws {
    try withFolder { folder in
      let here = try store(.system, in: folder)
      for path in ["\(folder)/carillon", here.folder] { #expect(mkdir(path, 0o700) == 0) }
      let other = "\(folder)/other"
      defer { unlink(other) }
      let descriptor = open(other, O_CREAT | O_WRONLY, 0o600)
      #expect(write(descriptor, Self.otherText, Self.otherText.count) == Self.otherText.count)
      close(descriptor)
      try test(here, other)
      #expect(try FileSystem().contents(of: other) == Self.otherText)
    }
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
    try withFolder { folder in
      let here = try store(.system, in: folder)
      #expect(try here.acquireLock().isAcquired)
      let kept = "\(folder)/kept.json"
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
  }

  /// `carillon status` and `carillon ctl` look at the lock for a moment, and are no owners.
  @Test(.timeLimit(.minutes(20))) func aLookAtTheLockDoesNotHoldIt() throws {
    try withFolder { folder in
      let here = try store(.system, in: folder)
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
  }

  /// Opening a pipe waits for the other end.
  @Test(.timeLimit(.minutes(20))) func pipesAreNotOpened() throws {
    try withFolder { folder in
      let here = try store(.system, in: folder)
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
  }

  @Test(arguments: [("main.json", 0o622), ("main.json", 0o620), ("", 0o777)])
  func filesWritableByOthersAreNotRead(name: String, mode: Int) throws {
    try withFolder { folder in
      let here = try store(.system, in: folder)
      for path in ["\(folder)/carillon", here.folder] { #expect(mkdir(path, 0o700) == 0) }
      try here.save(Self.old)
      let path = name.isEmpty ? here.folder : "\(here.folder)/\(name)"
      #expect(chmod(path, mode_t(mode)) == 0)
      let launch = try LaunchOptions.opening(here)
      #expect(launch.saved.isEmpty && launch.ownership == nil && !launch.isTour)
      #expect(
        launch.error
          == "changes here are not saved: \(path): writable by others (expected: chmod go-w '\(path)')"
      )
      #expect(chmod(path, name.isEmpty ? 0o700 : 0o644) == 0)
      #expect(try here.load() == Self.old)
    }
  }

  /// The same with files on this machine.
  @Test func aFailedSaveOnARealDiskLeavesACompleteSession() throws {
    try withFolder { folder in try checkSaving(in: folder) }
  }

  private func checkSaving(in folder: String) throws {
    let here = try store(.system, in: folder)
    #expect(try here.acquireLock().isAcquired)
    for faultOfAll in [false, true] {
      let count = try eachCall(.fails(EIO), andAllLaterOnes: faultOfAll) { faults in
        #expect(save(Self.old, in: here) == nil)
        let fault = save(Self.new, in: try store(FileCalls.system.with(faults), in: folder))
        let found = try here.load()
        #expect(found == Self.old || (found == Self.new))
        if fault == nil { #expect(found == Self.new) }
      }
      #expect(count >= 9)
    }
  }

  /// All that wait for the same save are called after it, and after each running save there is another if needed.
  @MainActor @Test func completionsFollowTheirSave() async throws {
    let disk = VirtualDisk([Self.path: Self.old])
    let isMuted = Mutex(false)
    let saver = SessionSaver(
      try store(disk.calls),
      current: {
        SessionSaver.Contents(board: Board(isMuted: isMuted.withLock(\.self)), now: .now())
      },
      onError: { Issue.record("\($0)") })
    var saved: [Bool] = []
    let completion: SessionSaver.Completion = { error in
      #expect(error == nil)
      let file = try? SessionFile(disk.content[Self.path] ?? [])
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

  /// A full disk is reported once, and the session is saved when there is space again.
  @MainActor @Test func theDashboardReportsAFailedSave() async throws {
    let disk = VirtualDisk([Self.path: Self.old])
    let hasRoom = Mutex(false)
    let faults = CallFaults { _ in hasRoom.withLock(\.self) ? nil : .fails(ENOSPC) }
    var errors: [String] = []
    let saver = SessionSaver(
      try store(disk.calls.with(faults)),
      current: { SessionSaver.Contents(board: Board(), now: .now()) },
      onError: { errors.append($0) })
    saver.scheduleSave(afterFire: false)
    try await until { !errors.isEmpty }
    #expect(
      errors == ["the session cannot be saved: \(Self.path): No space left on device"])
    #expect(disk.content[Self.path] == Self.old)
    // The final save writes the session that could not be saved before.
    hasRoom.withLock { $0 = true }
    #expect(saver.finish() == nil)
    #expect(disk.content[Self.path] != Self.old)
    #expect(try SessionFile(disk.content[Self.path] ?? []).savedTimers().isEmpty)
  }
}
