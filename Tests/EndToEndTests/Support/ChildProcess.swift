import Foundation
import Synchronization

/// A child process of a test.
final class ChildProcess {
  /// The ending of a process.
  enum Ending: Hashable {
    case exited(Int32)
    case killed(by: Int32)
  }

  /// The files for the standard streams.
  struct Streams {
    var input = "/dev/null"
    var output = "/dev/null"
    var error = "/dev/null"
  }

  struct SpawnError: Error {
    var program: String
    var reason: String
  }

  let pid: pid_t
  private var ending: Ending?

  /// Starts a program in its own session, as a terminal does: a terminal among its streams becomes its
  /// controlling terminal. The child inherits nothing except the given values.
  init(_ arguments: [String], environment: [String: String], streams: Streams) throws {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    let paths = [streams.input, streams.output, streams.error]
    for (descriptor, path) in paths.enumerated() {
      let flags = descriptor == 0 && path != streams.output ? O_RDONLY : O_RDWR | O_CREAT | O_APPEND
      posix_spawn_file_actions_addopen(&actions, Int32(descriptor), path, flags, 0o600)
    }

    // Dispatch threads block signals, and a test runner may ignore some: the child starts with the
    // defaults.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Self.spawnFlags)

    var argv = arguments.map { strdup($0) } + [nil]
    var envp = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for string in argv + envp { free(string) } }
    var pid = pid_t()
    let result = Self.inheritance.withLock { _ in
      posix_spawnp(&pid, arguments[0], &actions, &attributes, &argv, &envp)
    }
    guard result == 0 else {
      throw SpawnError(program: arguments[0], reason: String(cString: strerror(result)))
    }
    self.pid = pid
  }

  /// Locked while a child starts, and while descriptors are created that no child may inherit: a terminal
  /// that another process holds open never hangs up.
  static let inheritance = Mutex(())

  private static let spawnFlags: Int16 = {
    #if canImport(Darwin)
      let flags = POSIX_SPAWN_SETSID | POSIX_SPAWN_CLOEXEC_DEFAULT
    #else
      // POSIX_SPAWN_SETSID, which Glibc declares for GNU sources only.
      let flags = 0x80
    #endif
    return Int16(flags) | Int16(POSIX_SPAWN_SETSIGMASK) | Int16(POSIX_SPAWN_SETSIGDEF)
  }()

  func send(_ signal: Int32) {
    if ending == nil { kill(pid, signal) }
  }

  /// The ending, or `nil` while the process runs.
  func endingIfAny() -> Ending? {
    var status: Int32 = 0
    if ending == nil, waitpid(pid, &status, WNOHANG) == pid { record(status) }
    return ending
  }

  /// Waits for the process to end; returns `nil` after the limit.
  func ending(within limit: Duration = waitLimit) async throws -> Ending? {
    _ = try await eventually(within: limit) { endingIfAny() != nil }
    return ending
  }

  /// Waits until the process is stopped, as by Ctrl-Z or SIGSTOP.
  func hasStopped() async throws -> Bool {
    try await eventually {
      var status: Int32 = 0
      guard waitpid(pid, &status, WNOHANG | WUNTRACED) == pid else { return false }
      if status & 0xFF == 0x7F { return true }
      record(status)
      return false
    }
  }

  /// Kills the process immediately.
  func end() {
    guard endingIfAny() == nil else { return }
    kill(pid, SIGKILL)
    var status: Int32 = 0
    if waitpid(pid, &status, 0) == pid { record(status) }
  }

  private func record(_ status: Int32) {
    let signal = status & 0x7F
    ending = signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: signal)
  }
}

/// The output and the ending of a program without a terminal.
struct Finished {
  var ending: ChildProcess.Ending?
  var output: String
  var error: String
}

/// Runs a program without a terminal to its end.
func run(
  _ arguments: [String], environment: [String: String], in folder: TemporaryFolder
) async throws -> Finished {
  let id = UUID().uuidString
  let streams = ChildProcess.Streams(
    output: folder.path("output-\(id)"), error: folder.path("error-\(id)"))
  let child = try ChildProcess(arguments, environment: environment, streams: streams)
  defer { child.end() }
  return Finished(
    ending: try await child.ending(), output: try folder.text(of: "output-\(id)"),
    error: try folder.text(of: "error-\(id)"))
}

/// Returns true if a process exists and is no zombie.
func isAlive(_ pid: pid_t) -> Bool {
  guard kill(pid, 0) == 0 else { return false }
  #if os(Linux)
    let status = try? String(contentsOfFile: "/proc/\(pid)/stat", encoding: .utf8)
    return status.map { !$0.contains(") Z ") } ?? false
  #else
    return true
  #endif
}
