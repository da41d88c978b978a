import Lab
import Platform
import Synchronization

/// The child processes of the lab's scene `suspend`: this program, which pauses and releases a timer, and can be killed by
/// that.
enum ReleaseProcess {
  private static let option = "--release-paused-timer"
  /// The time in seconds after which a child process ends in any case.
  private static let limit: UInt32 = 2

  /// Lets the lab run child processes. In such a process, it does what the arguments say, and ends.
  static func prepare(_ arguments: [String]) throws {
    guard arguments.count == 2, arguments[0] == option,
      let way = PausedRelease(rawValue: arguments[1])
    else {
      PausedRelease.runProcess.withLock { $0 = run }
      return
    }
    disableCoreFiles()
    alarm(limit)
    try way.perform()
    exit(ExitStatus.success)
  }

  /// Runs a child process, which takes some milliseconds.
  /// - Returns: The signal that has killed it; 0 for none, `nil` if it could not be started.
  @Sendable private static func run(_ way: PausedRelease) -> Int32? {
    // The crash is expected, and no backtrace is needed.
    let child = startProcess(
      [programPath, option, way.rawValue], environment: ["SWIFT_BACKTRACE": "enable=no"])
    guard child.error == 0 else { return nil }
    var status: Int32 = 0
    while waitpid(child.process, &status, 0) < 0, errno == EINTR {}
    return status & 0x7F
  }
}
