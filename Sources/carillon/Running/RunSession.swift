import Dashboard
import Dispatch
import TimerKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

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
  private var specs: [TimerID: TimerSpec] = [:]
  private var running: Set<TimerID>
  private var signals: [any DispatchSourceSignal] = []

  init(_ specs: [TimerSpec], _ options: Options) {
    let address = Address()
    self.options = options
    line = EventLine(isJSON: options.isJSON, uses24Hours: options.uses24Hours)
    model = TimerModel { letters in address.session?.receive(letters) }
    commands = CommandRunner(
      timeLimit: nil, output: options.isJSON ? .standardError : .standardOutput
    ) { timer, ending, _ in address.session?.commandEnded(timer, ending) }
    for (index, spec) in specs.enumerated() { self.specs[TimerID(index + 1)] = spec }
    running = Set(self.specs.keys)
    address.session = self
    listen()
    for (id, spec) in self.specs.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      model.create(id, spec, restoring: nil)
    }
    if let maxTime = options.maxTime {
      let nanoseconds = Int(clamping: maxTime.clampedNanoseconds)
      DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) {
        MainActor.assumeIsolated { _ = address.session?.end(0) }
      }
    }
  }

  private func listen() {
    // Ignored, not handled: whoever reads no longer is found out by writing.
    signal(SIGPIPE, SIG_IGN)
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number, SIG_IGN)
      let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
      source.setEventHandler { [weak self] in
        MainActor.assumeIsolated { _ = self?.endBySignal(number) }
      }
      source.activate()
      signals.append(source)
    }
  }

  private func receive(_ letters: [TimerModel.Letter]) {
    let now = Moment.now()
    for letter in letters {
      guard model.isLive(letter), let spec = specs[letter.id] else { continue }
      if case .fired(let fire)? = letter.news {
        tell(FireReport(spec, fire, letter.status, at: now), of: letter.id, at: now)
        if options.endsAtFirstFire {
          for id in specs.keys { model.remove(id) }
          running = []
          break
        }
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

  private func tell(_ report: FireReport, of id: TimerID, at now: Moment) {
    if !options.isQuiet { print(line.text(report, secondsFromUTC: now.secondsFromUTC)) }
    if !options.command.isEmpty { commands.run(.arguments(options.command), for: id, report) }
  }

  private func commandEnded(_ id: TimerID, _ ending: CommandEnding) {
    guard let spec = specs[id] else { return }
    let timer = spec.name ?? spec.text
    if options.isJSON, !options.isQuiet {
      print(line.text(ending, of: timer, at: Moment.now().wall))
    }
    if !ending.isSuccess {
      Main.warn("\(timer): \(options.command.first ?? ""): \(ending.sentence)")
      if options.failsFast { end(1) }
    }
    endIfDone()
  }

  private func print(_ text: String) {
    do {
      try StandardOutput.write(text + "\n")
    } catch {
      commands.stop()
      Main.end(with: error)
    }
  }

  private func endIfDone() {
    if running.isEmpty, commands.isIdle { end(0) }
  }

  private func end(_ status: Int32) -> Never {
    commands.stop()
    exit(status)
  }

  private func endBySignal(_ number: Int32) -> Never {
    commands.stop()
    if number == SIGINT { exit(130) }
    Main.die(of: number)
  }
}
