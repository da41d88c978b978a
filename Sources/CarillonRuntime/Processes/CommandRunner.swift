import Dispatch
import Platform
import TimerBoard

/// A runner of commands, each in its own process group. It is used on the main queue, which it blocks only in
/// ``stop(grace:)``.
///
/// Each command has an owner, which is a timer, a hook or a message to the desktop. The commands of an owner do not
/// overlap: while one runs, or while the maximum number of commands is running, the next one waits. For each owner only
/// the newest command waits; its `CARILLON_MISSED` includes the fires of the commands that it replaces.
@MainActor
final class CommandRunner<Owner: Hashable & Sendable> {
  private struct Running {
    var owner: Owner
    /// The process group; `nil` before the start.
    var group: pid_t?
    var hasTimedOut = false
    /// A Boolean value that indicates whether the end of the command is not reported.
    var isDiscarded = false
  }

  /// The limits for the commands that start from now on.
  var limit: Int
  var timeLimit: Duration?
  private let allowsOverlap: Bool
  private let output: CommandOutput
  private let onEnd: @MainActor (Owner, CommandEnding, _ lastLine: String) -> Void
  private let groups: ProcessGroups
  /// Called when the last command has ended, also one whose end is not reported.
  var onIdle: (@MainActor () -> Void)?
  private var running: [Int: Running] = [:]
  private var waiting: [Owner: (command: Command, event: EventText?)] = [:]
  /// The owners whose commands wait, in the order in which they began to.
  private var queue: [Owner] = []
  private var lastNumber = 0
  private var isStopped = false

  /// - Parameters:
  ///   - timeLimit: The time after which a command and its children are terminated.
  ///   - allowsOverlap: True for commands that can run beside others of the same owner.
  ///   - guardian: Terminates the commands if the program ends without ``stop(grace:)``.
  ///   - onEnd: Called when a command has ended or could not be started.
  init(
    atOnce limit: Int = Configuration.standardCommandLimit, timeLimit: Duration?,
    output: CommandOutput,
    allowsOverlap: Bool = false, guardian: Guardian = .shared,
    onEnd: @escaping @MainActor (Owner, CommandEnding, _ lastLine: String) -> Void
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

  /// Runs a command, or queues it.
  /// - Parameter event: The values for its environment.
  func run(_ command: Command, for owner: Owner, _ event: EventText?) {
    guard !isStopped else { return }
    if running.count < limit, !isRunning(owner) { return start(command, for: owner, event) }
    var event = event
    if let replaced = waiting[owner] {
      event?.missed += (replaced.event?.missed ?? 0) + 1
    } else {
      queue.append(owner)
    }
    waiting[owner] = (command, event)
  }

  /// Returns true if a command of an owner is running or waiting, except one whose end is not reported.
  func isBusy(with owner: Owner) -> Bool {
    waiting[owner] != nil || running.values.contains { $0.owner == owner && !$0.isDiscarded }
  }

  /// Drops the command of an owner that waits.
  /// - Returns: True if another one runs.
  func dropWaiting(of owner: Owner) -> Bool {
    if waiting.removeValue(forKey: owner) != nil { queue.removeAll { $0 == owner } }
    return isBusy(with: owner)
  }

  /// Terminates the commands of an owner and their children, without reporting their end.
  func endCommands(of owner: Owner) {
    _ = dropWaiting(of: owner)
    for (number, command) in running where command.owner == owner {
      running[number]?.isDiscarded = true
      // A command that is being started is terminated afterwards.
      if let group = command.group { terminate(group) }
    }
  }

  /// Terminates all commands and their children, and starts no more.
  /// - Parameter grace: The time in which they can end by themselves before.
  func stop(grace: Duration = .zero) {
    isStopped = true
    waiting = [:]
    queue = []
    groups.end(grace: grace)
  }

  private func start(_ command: Command, for owner: Owner, _ event: EventText?) {
    lastNumber += 1
    let number = lastNumber
    running[number] = Running(owner: owner)
    let (output, groups) = (output, groups)
    Task { @MainActor in
      let (ending, line) = await command.run(event?.environment ?? [:], output, in: groups) {
        [weak self] group in
        DispatchQueue.main.async { self?.started(number, group) }
      }
      ended(number, ending, line)
    }
  }

  private func started(_ number: Int, _ group: pid_t) {
    guard let command = running[number] else { return }
    running[number]?.group = group
    if command.isDiscarded { terminate(group) }
    // Counted from here: on a busy machine a start can take longer than the limit.
    guard let timeLimit else { return }
    callOnMain(after: timeLimit) { [weak self] in self?.timeOut(number, group) }
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
    callOnMain(after: .seconds(2)) { [weak self] in self?.groups.send(SIGKILL, to: group) }
  }

  private func ended(_ number: Int, _ ending: CommandEnding, _ line: String) {
    guard let command = running.removeValue(forKey: number), !isStopped else { return }
    if !command.isDiscarded {
      onEnd(command.owner, command.hasTimedOut ? .timedOut : ending, line)
    }
    // The search skips only owners with a running command, so at most `limit` of them.
    while running.count < limit, let index = queue.firstIndex(where: { !isRunning($0) }) {
      let owner = queue.remove(at: index)
      guard let next = waiting.removeValue(forKey: owner) else { continue }
      start(next.command, for: owner, next.event)
    }
    if isIdle { onIdle?() }
  }

  /// Returns true if the next command of an owner must wait for one that runs.
  private func isRunning(_ owner: Owner) -> Bool {
    !allowsOverlap && running.values.contains { $0.owner == owner && !$0.isDiscarded }
  }
}
