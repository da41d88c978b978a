import CProcess
import Platform
import Synchronization

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
    let bytes = Array(line.utf8)
    sendWithoutSignal(socket, bytes, bytes.count)
  }
}
