import CursesTerminal
import Platform
import TimerBoard
import TimerKit

/// A session of `carillon serve`: timers without a screen, controlled by other processes, on the main queue.
@MainActor
final class ServeSession {
  /// The time without timers after which a background process ends.
  private static let emptyLimit = Duration.seconds(10)

  private let live: BoardOwner
  private let isBackground: Bool
  private let log = OutputQueue(STDERR_FILENO) { _ in }
  private var signals: Signals?
  private lazy var emptyTimer = DeadlineTimer(isolation: MainActor.shared) { [weak self] _, _ in
    if self?.isEmpty == true { self?.end(newOwner: nil) }
  }

  /// - Parameter isBackground: True for a process that ends when there are no timers, and that logs only errors.
  init(_ launch: LaunchOptions, isBackground: Bool) {
    self.isBackground = isBackground
    // Without a terminal, notifications are shown by the desktop or not at all.
    live = BoardOwner(launch) { _, _ in }
    live.frontEnd = self
    signal(SIGPIPE, SIG_IGN)
    signals = Signals([SIGINT, SIGTERM, SIGHUP]) { [weak self] _ in self?.end(newOwner: nil) }
    for command in launch.commands { _ = live.perform(command) }
    if let error = launch.error { show(error: error) }
    live.own(as: .background)
    if isBackground {
      updateEmptyTimer()
      reportStart()
    }
    if let path = Program.environment["NOTIFY_SOCKET"] { sendDatagram("READY=1", to: path) }
  }

  /// Reports to the process that has started this one that it has the session. Nobody reads standard error any more.
  private func reportStart() {
    var attributes = stat()
    guard fstat(STDERR_FILENO, &attributes) == 0, attributes.st_mode & S_IFMT == S_IFSOCK else {
      return
    }
    _ = log.write(String(UnicodeScalar(BackgroundProcess.startMark)))
    log.finish {
      let null = open("/dev/null", O_WRONLY)
      guard null >= 0 else { return }
      dup2(null, STDERR_FILENO)
      close(null)
    }
  }

  private func updateEmptyTimer() {
    if isEmpty { emptyTimer.schedule(after: Self.emptyLimit) } else { emptyTimer.unschedule() }
  }

  private var isEmpty: Bool { live.board.timers.count == 0 }
}

extension ServeSession: FrontEnd {
  func show(_ transitions: [Transition]) {
    if isBackground { return updateEmptyTimer() }
    let now = ClockReading.now()
    for transition in transitions {
      _ = log.write(EventText(transition, at: now).line(uses24Hours: Program.uses24Hours) + "\n")
    }
  }

  func commandEnded(_ timer: BoardTimer, _ result: CommandResult) {
    if !result.isSuccess { show(error: "\(timer.label): \(result.text())") }
  }

  func show(error: String) {
    _ = log.write(Program.diagnostic(error))
  }

  /// Ends the process, which nobody can reach any more.
  func lostSession(_ message: String) {
    show(error: message)
    for error in live.stop() { show(error: error) }
    exit(ExitStatus.failure)
  }

  func end(newOwner: String?) {
    if let newOwner {
      if !isBackground { show(error: "the session continues in \(newOwner)") }
      return live.whenIdle { [weak self] in
        _ = self?.live.stop()
        self?.exit(ExitStatus.success)
      }
    }
    let errors = live.stop()
    for error in errors { show(error: error) }
    exit(errors.isEmpty ? ExitStatus.success : ExitStatus.failure)
  }

  private func exit(_ status: Int32) {
    log.finish { Platform.exit(status) }
    // A terminal that is held by Ctrl-S reads nothing.
    callOnMain(after: .seconds(1)) { Platform.exit(status) }
  }
}
