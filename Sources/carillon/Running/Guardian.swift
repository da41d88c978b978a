import CProcess
import Synchronization

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A process that ends the commands when the program cannot: it sees the program go, whatever ended
/// it, and kills the process groups that are registered by then.
///
/// It is a shell that reads from a socket, started with the first command. Commands register
/// themselves before they become their program, so none can be missed.
final class Guardian: Sendable {
  /// The program's own.
  static let shared = Guardian()

  private struct State {
    /// 0 before the first command.
    var process: pid_t = 0
    /// The program's end of the socket; -1 for none.
    var socket: Int32 = -1
    var groups: Set<pid_t> = []
  }

  private let state = Mutex(State())

  /// Its reading ends with the program. In a session of its own and deaf to signals, it is not ended
  /// with the program's job.
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

  /// Starts a process that is registered from its first moment.
  /// - Parameter start: given the socket to register at; -1 where there is no guardian.
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

  /// To be called before the group's number can be another's.
  func forget(_ group: pid_t) {
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
    var ends: [Int32] = [-1, -1]
    guard socketpair(AF_UNIX, streamSocket, 0, &ends) == 0 else { return }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    #if canImport(Darwin)
      var isOn: Int32 = 1
      setsockopt(ends[0], SOL_SOCKET, SO_NOSIGPIPE, &isOn, socklen_t(MemoryLayout<Int32>.size))
    #endif
    let outcome = startProcess(
      ["/bin/sh", "-c", script, "carillon-guardian"], input: ends[1], startsSession: true)
    close(ends[1])
    guard outcome.error == 0 else {
      close(ends[0])
      return
    }
    state.process = outcome.process
    state.socket = ends[0]
    for group in state.groups { send("+ \(group)\n", to: state.socket) }
  }

  private static func send(_ line: String, to socket: Int32) {
    guard socket >= 0 else { return }
    let bytes = Array(line.utf8)
    #if canImport(Darwin)
      let flags: Int32 = 0
    #else
      let flags = Int32(MSG_NOSIGNAL)
    #endif
    _ = systemSend(socket, bytes, bytes.count, flags)
  }

  private static var streamSocket: Int32 {
    #if canImport(Glibc)
      Int32(SOCK_STREAM.rawValue)
    #else
      SOCK_STREAM
    #endif
  }
}

/// The system's, where a method has its name.
private func systemSend(
  _ socket: Int32, _ bytes: UnsafeRawPointer, _ count: Int, _ flags: Int32
) -> Int {
  send(socket, bytes, count, flags)
}
