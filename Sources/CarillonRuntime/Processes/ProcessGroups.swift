import CProcess
import Dispatch
import Platform
import Synchronization
import TimerBoard

/// The outcome of starting a process: its identifier, and 0 or the error.
typealias StartOutcome = (process: pid_t, error: Int32)

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
  return (process, error)
}

/// The process groups of commands. ``send(_:to:)`` signals a group only until its leader is reaped, because after that
/// its number may belong to another process. Only a group that is being terminated, and that its leader has left behind,
/// gets signals until SIGKILL: while it has members, its number is not given away.
final class ProcessGroups: Sendable {
  private struct State {
    var groups: Set<pid_t> = []
    /// The groups that were sent SIGTERM and not SIGKILL.
    var terminated: Set<pid_t> = []
    /// Those of them whose leader has been reaped.
    var leaderless: Set<pid_t> = []
    var isClosed = false
  }

  private let state = Mutex(State())
  private let guardian: Guardian

  /// - Parameter guardian: Terminates the groups if the program ends without doing so.
  init(guardian: Guardian) {
    self.guardian = guardian
  }

  /// Starts a program in a group of its own, without standard input.
  func start(
    _ words: [String], _ environment: [String: String], output: Int32, error: Int32
  ) -> StartOutcome {
    state.withLock { state in
      guard !state.isClosed else { return (process: 0, error: ECANCELED) }
      let start: (Int32) -> StartOutcome = { registrar in
        startProcess(
          words, environment: environment, output: output, error: error, registrar: registrar)
      }
      let outcome = guardian.watch(start)
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
      _ = waitpid(group, &status, 0)
      state.groups.remove(group)
      if state.terminated.contains(group), kill(-group, 0) == 0 {
        state.leaderless.insert(group)
      } else {
        state.terminated.remove(group)
        guardian.unregister(group)
      }
    }
    let signal = status & 0x7F
    return signal == 0 ? .exited(status >> 8 & 0xFF) : .killed(by: signal)
  }

  func send(_ signal: Int32, to group: pid_t) {
    state.withLock { state in
      let isLeaderless = state.leaderless.contains(group)
      guard isLeaderless || state.groups.contains(group) else { return }
      kill(-group, signal)
      if signal == SIGTERM { state.terminated.insert(group) }
      guard signal == SIGKILL else { return }
      state.terminated.remove(group)
      if isLeaderless {
        state.leaderless.remove(group)
        guardian.unregister(group)
      }
    }
  }

  /// Terminates all groups and starts no more.
  /// - Parameter grace: The time in which the groups can end by themselves before.
  func end(grace: Duration = .zero) {
    let groups = state.withLock { state in
      state.isClosed = true
      return state.groups.union(state.leaderless)
    }
    guard !groups.isEmpty else { return }
    wait(for: groups, atMost: grace)
    for group in groups {
      kill(-group, SIGTERM)
      // A stopped process handles no other signal.
      kill(-group, SIGCONT)
    }
    // So that shells can clean up.
    wait(for: groups, atMost: .milliseconds(250))
    for group in groups {
      kill(-group, SIGKILL)
      guardian.unregister(group)
    }
  }

  private func wait(for groups: Set<pid_t>, atMost limit: Duration) {
    var left = limit
    while left > .zero, groups.contains(where: { kill(-$0, 0) == 0 }) {
      usleep(5000)
      left -= .milliseconds(5)
    }
  }
}

/// A process that terminates the running commands if the program ends without doing so, for example when it is
/// killed.
///
/// It is a shell that reads from a socket until the program ends. It is started with the first command. Commands
/// register themselves before `exec`, so that none is missed.
final class Guardian: Sendable {
  /// The guardian of the program.
  static let shared = Guardian()

  private struct State {
    /// 0 before the first command.
    var process: pid_t = 0
    /// The program's end of the socket; -1 for none.
    var socket: Int32 = -1
    var groups: Set<pid_t> = []
  }

  private let state = Mutex(State())

  /// The script of the shell. It ignores signals and has its own session, so that it outlives the program's job.
  private static let script = """
    trap '' HUP INT QUIT TERM USR1 USR2 PIPE ALRM
    cd /
    groups=
    while read -r change group; do
      case $change in
      +) groups="$groups $group" ;;
      -)
        rest=
        for each in $groups; do [ "$each" = "$group" ] || rest="$rest $each"; done
        groups=$rest
        ;;
      esac
    done
    [ "$groups" ] || exit 0
    for each in $groups; do kill -TERM "-$each"; kill -CONT "-$each"; done
    sleep 0.25 || sleep 1
    for each in $groups; do kill -KILL "-$each"; done
    """

  /// Starts a process that is registered before its program runs.
  /// - Parameter start: Called with the socket for the registration; -1 if there is no guardian.
  func watch(_ start: (_ registrar: Int32) -> StartOutcome) -> StartOutcome {
    state.withLock { state in
      if !Self.isAlive(state.process) { Self.open(&state) }
      let outcome = start(state.socket)
      if outcome.error == 0 {
        state.groups.insert(outcome.process)
      } else if outcome.process != 0 {
        Self.send("- \(outcome.process)\n", to: state.socket)
      }
      return outcome
    }
  }

  /// Removes a group. Call it before the number can belong to another process.
  func unregister(_ group: pid_t) {
    state.withLock { state in
      guard state.groups.remove(group) != nil else { return }
      Self.send("- \(group)\n", to: state.socket)
    }
  }

  private static func isAlive(_ process: pid_t) -> Bool {
    process != 0 && waitpid(process, nil, WNOHANG) == 0
  }

  private static func open(_ state: inout State) {
    if state.socket >= 0 { close(state.socket) }
    state.process = 0
    state.socket = -1
    guard let (own, others) = makeSocketPair() else { return }
    let outcome = startProcess(
      ["/bin/sh", "-c", script, "carillon-guardian"], input: others, startsSession: true)
    close(others)
    guard outcome.error == 0 else {
      close(own)
      return
    }
    state.process = outcome.process
    state.socket = own
    for group in state.groups { send("+ \(group)\n", to: state.socket) }
  }

  private static func send(_ line: String, to socket: Int32) {
    guard socket >= 0 else { return }
    var bytes = Array(line.utf8)[...]
    sendWithoutSignal(&bytes, to: socket)
  }
}
