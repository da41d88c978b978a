import CProcess
import Dispatch
import Platform
import Synchronization
import TimerBoard

/// The outcome of starting a process: its identifier, and 0 or the error.
struct StartOutcome {
  var process: pid_t
  var error: Int32
}

/// Starts a program as the leader of a process group or session of its own.
/// - Parameters:
///   - environment: Variables to add to the inherited ones or to replace them.
///   - input: The descriptor of its standard input, like `output` and `error`; -1 for the null device.
///   - registrar: The socket of the ``Guardian``; -1 for none.
func startProcess(
  _ words: [String], environment: [String: String] = [:], input: Int32 = -1, output: Int32 = -1,
  error: Int32 = -1, registrar: Int32 = -1, startsSession: Bool = false
) -> StartOutcome {
  let arguments = words.map { strdup($0) } + [nil]
  let changes = environment.map { strdup("\($0)=\($1)") } + [nil]
  defer { for text in arguments + changes { free(text) } }
  var process = pid_t()
  let error = arguments.withUnsafeBufferPointer { arguments in
    changes.withUnsafeBufferPointer { changes in
      var start = cp_start(
        arguments: arguments.baseAddress, environment: changes.baseAddress, input: input,
        output: output, error: error, registrar: registrar, starts_session: startsSession)
      return cp_process_start(&start, &process)
    }
  }
  return StartOutcome(process: process, error: error)
}

/// The process groups of commands. ``send(_:to:)`` signals a group only until its leader is reaped: after that
/// its number may belong to another process.
final class ProcessGroups: Sendable {
  private struct State {
    var groups: Set<pid_t> = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let guardian: Guardian?

  /// - Parameter guardian: Terminates the groups if the program ends without doing so.
  init(guardian: Guardian?) {
    self.guardian = guardian
  }

  /// Starts a program in a group of its own, without standard input.
  func start(
    _ words: [String], _ environment: [String: String], output: Int32, error: Int32
  ) -> StartOutcome {
    state.withLock { state in
      guard !state.isClosed else { return StartOutcome(process: 0, error: ECANCELED) }
      let start: (Int32) -> StartOutcome = { registrar in
        startProcess(
          words, environment: environment, output: output, error: error, registrar: registrar)
      }
      let outcome = guardian?.watch(start) ?? start(-1)
      if outcome.error == 0 { state.groups.insert(outcome.process) }
      return outcome
    }
  }

  /// Waits for the end of the leader of a group, and reaps it.
  /// - Returns: The ending of the leader.
  func ending(of group: pid_t) async -> CommandEnding {
    await withCheckedContinuation { continuation in
      DispatchQueue(label: "carillon.command", qos: .utility).async {
        var information = siginfo_t()
        while waitid(P_PID, id_t(group), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        continuation.resume(returning: self.reap(group))
      }
    }
  }

  private func reap(_ group: pid_t) -> CommandEnding {
    var status: Int32 = 0
    state.withLock { state in
      guardian?.unregister(group)
      state.groups.remove(group)
      _ = waitpid(group, &status, 0)
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: signal)
  }

  func send(_ signal: Int32, to group: pid_t) {
    state.withLock { state in
      if state.groups.contains(group) { kill(-group, signal) }
    }
  }

  /// Terminates all groups and starts no more.
  func end() {
    let groups = state.withLock { state in
      state.isClosed = true
      return state.groups
    }
    guard !groups.isEmpty else { return }
    for group in groups {
      kill(-group, SIGTERM)
      // A stopped process handles no other signal.
      kill(-group, SIGCONT)
    }
    // Wait up to 0.25 s, so that shells can clean up.
    var waits = 0
    while waits < 50, groups.contains(where: { kill(-$0, 0) == 0 }) {
      usleep(5000)
      waits += 1
    }
    for group in groups {
      kill(-group, SIGKILL)
      guardian?.unregister(group)
    }
  }
}
