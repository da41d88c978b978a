import CursesTerminal
import Dashboard
import Dispatch
import Platform
import TerminalCore
import TimerKit

/// One run of `carillon run`: timers without a screen. On the main queue.
@MainActor
final class RunSession {
  struct Options {
    var isJSON = false
    var isQuiet = false
    var endsAtFirstFire = false
    var failsFast = false
    var maxTime: Duration?
    var uses24Hours = true
    /// Run at each fire; empty for none.
    var command: [String] = []
  }

  private final class Address {
    weak var session: RunSession?
  }

  /// The one that runs; it lives as long as the process.
  static var current: RunSession?

  private let options: Options
  private let model: TimerModel
  private let commands: CommandRunner
  private let line: EventLine
  private let output: OutputQueue
  private let errors: OutputQueue
  private var hasDroppedOutput = false
  /// What the program ends with when its timers have.
  private var status: Int32 = 0
  private var isEnding = false
  /// It knows what follows from what; nobody sees it.
  private var dashboard = Dashboard(
    options: DisplayOptions(), size: Size(width: 80, height: 24))
  private var specs: [TimerID: TimerSpec] = [:]
  private var running: Set<TimerID> = []
  private var signals: Signals?

  init(_ specs: [TimerSpec], _ options: Options) {
    let address = Address()
    self.options = options
    line = EventLine(isJSON: options.isJSON, uses24Hours: options.uses24Hours)
    model = TimerModel { letters in address.session?.receive(letters) }
    output = OutputQueue(STDOUT_FILENO) { error in address.session?.fail(error) }
    // Nobody is there to be told.
    errors = OutputQueue(STDERR_FILENO) { _ in }
    commands = CommandRunner(
      timeLimit: nil, output: options.isJSON ? .standardError : .standardOutput
    ) { timer, ending, line in
      address.session?.commandEnded(timer, CommandResult(ending, lastLine: line))
    }
    address.session = self
    listen()
    let effects = dashboard.start(specs.map(withCommand), at: .now())
    perform(effects)
    let elapsed = Program.startInstant.duration(to: TimerClock.suspending.now)
    countFromTheCall(effects, elapsed)
    if let maxTime = options.maxTime {
      let nanoseconds = Int(clamping: (maxTime - elapsed).clampedNanoseconds)
      DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
        MainActor.assumeIsolated { address.session?.endAtTheLatest() }
      }
    }
  }

  /// As with sleep(1), it is from the call that time counts: to find out what was asked for takes some
  /// milliseconds. Not on a machine so busy, or for times so short, that ticks could be missed by it;
  /// and the same for all, which began together.
  private func countFromTheCall(_ effects: [Effect], _ elapsed: Duration) {
    let waits: [(id: TimerID, time: Duration)] = effects.compactMap { effect in
      guard case .create(let id, let spec, nil) = effect else { return nil }
      switch spec.kind {
      case .once(let interval), .every(let interval, _): return (id, interval)
      case .cycle(let phases, _): return phases.first.map { (id, $0.duration) }
      default: return nil
      }
    }
    guard waits.allSatisfy({ elapsed < $0.time / 10 }) else { return }
    for wait in waits { model.send(.adjustTimeLeft(.zero - elapsed), to: wait.id) }
  }

  /// One without a command of its own gets the one that is given to all.
  private func withCommand(_ spec: TimerSpec) -> TimerSpec {
    var spec = spec
    if spec.command == nil, !options.command.isEmpty { spec.command = "" }
    return spec
  }

  private func perform(_ effects: [Effect]) {
    for effect in effects {
      switch effect {
      case .create(let id, let spec, let checkpoint):
        specs[id] = spec
        if specs[id]?.command == "" { specs[id]?.command = nil }
        running.insert(id)
        do throws(RestoreError) {
          try model.create(id, spec, restoring: checkpoint)
        } catch {
          Program.warn("\(spec.name ?? spec.text): \(error)")
          end(1)
        }
      case .send(let command, let id):
        // Until its answer says otherwise.
        running.insert(id)
        model.send(command, to: id)
      case .run(let text, let id, _, let fire, let status):
        guard let spec = specs[id] else { continue }
        let command = text.isEmpty ? Command.arguments(options.command) : .shell(text)
        commands.run(command, for: id, FireReport(spec, fire, status, at: .now()))
      case .remove, .ring, .keepRinging, .notify, .redraw, .suspend, .lab, .quit: break
      }
    }
  }

  private func listen() {
    // Ignored, not handled: whoever reads no longer is found out by writing.
    signal(SIGPIPE, SIG_IGN)
    signals = Signals([SIGINT, SIGTERM, SIGHUP]) { [weak self] in self?.endBySignal($0) }
  }

  private func receive(_ letters: [TimerModel.Letter]) {
    guard !isEnding else { return }
    let now = Moment.now()
    for letter in letters {
      guard model.isLive(letter), let spec = specs[letter.id] else { continue }
      if case .fired(let fire)? = letter.news {
        if !options.isQuiet {
          let report = FireReport(spec, fire, letter.status, at: now)
          print(line.text(report, secondsFromUTC: now.secondsFromUTC))
        }
      }
      perform(dashboard.update(.timer(letter.id, letter.news, letter.status), at: now))
      if options.endsAtFirstFire, case .fired? = letter.news {
        for id in specs.keys { model.remove(id) }
        running = []
        break
      }
      // One that executes is past its last fire before it tells of it.
      if letter.status.phase == .running || letter.status.isExecuting {
        running.insert(letter.id)
      } else {
        running.remove(letter.id)
      }
    }
    endIfDone()
  }

  private func commandEnded(_ id: TimerID, _ result: CommandResult) {
    guard !isEnding, let spec = specs[id] else { return }
    let timer = spec.name ?? spec.text
    if options.isJSON, !options.isQuiet {
      print(line.text(result, of: timer, at: Moment.now().wall))
    }
    if !result.ending.isSuccess {
      warn("\(timer): \(spec.command ?? options.command.first ?? ""): \(result.ending.sentence)")
      if case .notStarted = result.ending { status = 1 }
      if options.failsFast { return end(1) }
    }
    perform(
      dashboard.update(.command(id, result, isRunning: commands.isBusy(with: id)), at: .now()))
    endIfDone()
  }

  private func print(_ text: String) {
    guard !output.write(text + "\n"), !hasDroppedOutput else { return }
    hasDroppedOutput = true
    warn("standard output is not read: lines are dropped")
  }

  private func warn(_ message: String) {
    _ = errors.write(Program.diagnostic(message))
  }

  private func fail(_ error: StreamError) {
    commands.stop()
    Program.exit(with: error)
  }

  private func endIfDone() {
    if running.isEmpty, commands.isIdle { end(status) }
  }

  /// Ends the program when all that it printed is written.
  private func end(_ status: Int32) {
    guard !isEnding else { return }
    isEnding = true
    commands.stop()
    output.finish { [errors] in errors.finish { exit(status) } }
  }

  /// Ends the program soon, even where nobody reads what it printed.
  private func endAtTheLatest() {
    let status = status
    end(status)
    DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(1)) { exit(status) }
  }

  private func endBySignal(_ number: Int32) {
    commands.stop()
    if number == SIGINT { exit(130) }
    Program.exit(bySignal: number)
  }
}
