import Dispatch
import Platform
import Synchronization
import TimerBoard
import TimerKit

/// Runs the commands that timers set off, a few at a time, each in a process group of its own. On
/// the main queue, which it never blocks but in ``stop()``.
///
/// A fire that comes while there is no room waits for it; of one timer only the newest waits, and it
/// says in its `CARILLON_MISSED` how many it stands for.
@MainActor
final class CommandRunner {
  /// Known as soon as there is one, whatever the main queue does.
  private final class StartedProcess: Sendable {
    /// 0 before.
    private let identifier = Atomic<pid_t>(0)

    var group: pid_t? {
      let group = identifier.load(ordering: .acquiring)
      return group == 0 ? nil : group
    }

    func note(_ group: pid_t) { identifier.store(group, ordering: .releasing) }
  }

  /// How many run at once.
  nonisolated static let usualLimit = 8

  private struct Running {
    var timer: TimerID
    var process = StartedProcess()
    var hasTimedOut = false
    /// Nobody is to hear of its end.
    var isUnwanted = false
  }

  private let limit: Int
  private let timeLimit: Duration?
  private let output: CommandOutput
  private let onEnd: @MainActor (TimerID, CommandEnding, _ lastLine: String) -> Void
  private let groups: ProcessGroups
  private var running: [Int: Running] = [:]
  private var waiting: [(timer: TimerID, command: Command, report: FireReport?)] = []
  private var lastNumber = 0
  private var isStopped = false

  /// - Parameters:
  ///   - timeLimit: how long a command may take; what takes longer is terminated, with its children.
  ///   - guardian: ends the commands where the program does not get to ``stop()``; `nil` for
  ///     commands that may outlive it.
  ///   - onEnd: called when a command has ended, or could not be started.
  init(
    atOnce limit: Int = usualLimit, timeLimit: Duration?, output: CommandOutput,
    guardian: Guardian? = .shared,
    onEnd: @escaping @MainActor (TimerID, CommandEnding, _ lastLine: String) -> Void
  ) {
    self.limit = limit
    self.timeLimit = timeLimit
    self.output = output
    groups = ProcessGroups(guardian: guardian)
    self.onEnd = onEnd
  }

  var isIdle: Bool { running.isEmpty && waiting.isEmpty }

  /// - Parameter report: what it finds in its environment.
  func run(_ command: Command, for timer: TimerID, _ report: FireReport?) {
    guard !isStopped else { return }
    if running.count < limit {
      start(command, for: timer, report)
    } else if let index = waiting.firstIndex(where: { $0.timer == timer }) {
      let missed = (waiting[index].report?.missed ?? 0) + 1
      waiting[index].report = report
      waiting[index].report?.missed += missed
    } else {
      waiting.append((timer, command, report))
    }
  }

  /// Whether a command of a timer runs or waits.
  func isBusy(with timer: TimerID) -> Bool {
    waiting.contains { $0.timer == timer }
      || running.values.contains { $0.timer == timer && !$0.isUnwanted }
  }

  /// Ends what a timer has set off, children included; nothing of it is heard.
  func end(of timer: TimerID) {
    waiting.removeAll { $0.timer == timer }
    for (number, command) in running where command.timer == timer {
      running[number]?.isUnwanted = true
      // One that is just being started is ended when it has.
      if let group = command.process.group { terminate(number, group) }
    }
  }

  /// Ends everything that was started, children included, and starts nothing more.
  func stop() {
    isStopped = true
    waiting = []
    groups.end()
  }

  private func start(_ what: Command, for timer: TimerID, _ report: FireReport?) {
    lastNumber += 1
    let number = lastNumber
    let command = Running(timer: timer)
    running[number] = command
    let (output, groups) = (output, groups)
    Task { @MainActor in
      let (ending, line) = await what.run(report?.environment ?? [:], output, in: groups) {
        [timeLimit] group in
        command.process.note(group)
        DispatchQueue.main.async { [weak self] in
          MainActor.assumeIsolated {
            if self?.running[number]?.isUnwanted == true { self?.terminate(number, group) }
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
    terminate(number, group)
  }

  private func terminate(_ number: Int, _ group: pid_t) {
    groups.send(SIGTERM, to: group)
    // What is stopped takes nothing else.
    groups.send(SIGCONT, to: group)
    DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(2)) { [weak self] in
      MainActor.assumeIsolated {
        self?.groups.send(SIGKILL, to: group)
      }
    }
  }

  private func ended(_ number: Int, _ ending: CommandEnding, _ line: String) {
    guard let command = running.removeValue(forKey: number), !isStopped else { return }
    if !command.isUnwanted {
      onEnd(command.timer, command.hasTimedOut ? .timedOut : ending, line)
    }
    while running.count < limit, !waiting.isEmpty {
      let next = waiting.removeFirst()
      start(next.command, for: next.timer, next.report)
    }
  }
}
