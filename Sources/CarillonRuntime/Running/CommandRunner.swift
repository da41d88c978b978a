import Dispatch
import Platform
import Synchronization
import TimerBoard
import TimerKit

/// A runner of commands, each in its own process group. It is used on the main queue, which it blocks only in
/// ``stop()``.
///
/// The commands of a timer do not overlap: while one runs, or while the maximum number of commands is running, a
/// fire waits. For each timer only the newest fire waits; its `CARILLON_MISSED` includes the fires that it replaces.
///
/// Hooks and desktop notifications have runners of their own, in which a `TimerID` is the number of a hook or message.
@MainActor
final class CommandRunner {
  /// The process group of a command, known as soon as it exists, however busy the main queue is.
  private final class StartedProcess: Sendable {
    /// 0 before the start.
    private let identifier = Atomic<pid_t>(0)

    var group: pid_t? {
      let group = identifier.load(ordering: .acquiring)
      return group == 0 ? nil : group
    }

    func set(_ group: pid_t) { identifier.store(group, ordering: .releasing) }
  }

  /// The default number of commands that run at the same time.
  nonisolated static let defaultLimit = 8

  private struct Running {
    var timer: TimerID
    var process = StartedProcess()
    var hasTimedOut = false
    /// A Boolean value that indicates whether the end of the command is not reported.
    var isDiscarded = false
  }

  private var limit: Int
  private let allowsOverlap: Bool
  private var timeLimit: Duration?
  private let output: CommandOutput
  private let onEnd: @MainActor (TimerID, CommandEnding, _ lastLine: String) -> Void
  private let groups: ProcessGroups
  /// Called when the last command has ended, also one whose end is not reported.
  var onIdle: (@MainActor () -> Void)?
  private var running: [Int: Running] = [:]
  private var waiting: [TimerID: (command: Command, report: EventReport?)] = [:]
  /// The timers that wait, in the order in which they began to.
  private var queue: [TimerID] = []
  private var lastNumber = 0
  private var isStopped = false

  /// - Parameters:
  ///   - timeLimit: The time after which a command and its children are terminated.
  ///   - allowsOverlap: True for commands that can run beside others of the same timer.
  ///   - guardian: Terminates the commands if the program ends without ``stop()``; `nil` for commands that
  ///     may outlive the program.
  ///   - onEnd: Called when a command has ended or could not be started.
  init(
    atOnce limit: Int = defaultLimit, timeLimit: Duration?, output: CommandOutput,
    allowsOverlap: Bool = false, guardian: Guardian? = .shared,
    onEnd: @escaping @MainActor (TimerID, CommandEnding, _ lastLine: String) -> Void
  ) {
    self.limit = limit
    self.timeLimit = timeLimit
    self.output = output
    self.allowsOverlap = allowsOverlap
    groups = ProcessGroups(guardian: guardian)
    self.onEnd = onEnd
  }

  /// A Boolean value that indicates whether no command is running or waiting. A command runs until it has ended, also
  /// one whose end is not reported.
  var isIdle: Bool { running.isEmpty && waiting.isEmpty }

  /// Changes the limits for the commands that start from now on.
  func setLimits(atOnce limit: Int, timeLimit: Duration?) {
    self.limit = limit
    self.timeLimit = timeLimit
  }

  /// Runs a command, or queues it.
  /// - Parameter report: The values for its environment.
  func run(_ command: Command, for timer: TimerID, _ report: EventReport?) {
    guard !isStopped else { return }
    if running.count < limit, !isRunning(timer) {
      start(command, for: timer, report)
    } else if let replaced = waiting[timer] {
      var report = report
      report?.missed += (replaced.report?.missed ?? 0) + 1
      waiting[timer] = (command, report)
    } else {
      waiting[timer] = (command, report)
      queue.append(timer)
    }
  }

  /// Returns true if a command of a timer is running or waiting, except one whose end is not reported.
  func isBusy(with timer: TimerID) -> Bool {
    waiting[timer] != nil
      || running.values.contains { $0.timer == timer && !$0.isDiscarded }
  }

  /// Terminates the commands of a timer and their children, without reporting their end.
  func endCommands(of timer: TimerID) {
    if waiting.removeValue(forKey: timer) != nil { queue.removeAll { $0 == timer } }
    for (number, command) in running where command.timer == timer {
      running[number]?.isDiscarded = true
      // A command that is being started is terminated afterwards.
      if let group = command.process.group { terminate(group) }
    }
  }

  /// Terminates all commands and their children, and starts no more.
  func stop() {
    isStopped = true
    waiting = [:]
    queue = []
    groups.end()
  }

  private func start(_ command: Command, for timer: TimerID, _ report: EventReport?) {
    lastNumber += 1
    let number = lastNumber
    let entry = Running(timer: timer)
    running[number] = entry
    let (output, groups) = (output, groups)
    Task { @MainActor in
      let (ending, line) = await command.run(report?.environment ?? [:], output, in: groups) {
        [timeLimit] group in
        entry.process.set(group)
        DispatchQueue.main.async { [weak self] in
          MainActor.assumeIsolated {
            if self?.running[number]?.isDiscarded == true { self?.terminate(group) }
          }
        }
        // Counted from here: on a busy machine a start can take longer than the limit.
        guard let timeLimit else { return }
        let milliseconds = Int(clamping: timeLimit.clampedNanoseconds / 1_000_000)
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
          [weak self] in
          MainActor.assumeIsolated { self?.timeOut(number, group) }
        }
      }
      ended(number, ending, line)
    }
  }

  private func timeOut(_ number: Int, _ group: pid_t) {
    guard running[number] != nil else { return }
    running[number]?.hasTimedOut = true
    terminate(group)
  }

  private func terminate(_ group: pid_t) {
    groups.send(SIGTERM, to: group)
    // A stopped process handles no other signal.
    groups.send(SIGCONT, to: group)
    DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(2)) { [weak self] in
      MainActor.assumeIsolated {
        self?.groups.send(SIGKILL, to: group)
      }
    }
  }

  private func ended(_ number: Int, _ ending: CommandEnding, _ line: String) {
    guard let command = running.removeValue(forKey: number), !isStopped else { return }
    if !command.isDiscarded {
      onEnd(command.timer, command.hasTimedOut ? .timedOut : ending, line)
    }
    // The search skips only timers with a running command, so at most `limit` of them.
    while running.count < limit, let index = queue.firstIndex(where: { !isRunning($0) }) {
      let timer = queue.remove(at: index)
      guard let next = waiting.removeValue(forKey: timer) else { continue }
      start(next.command, for: timer, next.report)
    }
    if isIdle { onIdle?() }
  }

  /// Returns true if the next command of a timer must wait for one that runs.
  private func isRunning(_ timer: TimerID) -> Bool {
    !allowsOverlap && running.values.contains { $0.timer == timer && !$0.isDiscarded }
  }
}
