import CursesTerminal
import Dashboard
import Dispatch
import Lab
import TerminalCore
import TimerKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// The lab on a terminal of its own. Everything here happens on the main queue.
@MainActor
final class LabSession {
  /// What the terminal holds of a session that it must exist before.
  private final class Address {
    weak var session: LabSession?
  }

  /// The one that runs; it lives as long as the process.
  static var current: LabSession?

  private let terminal: CursesTerminal
  private let pacer: FramePacer
  private let options: DisplayOptions
  private var lab: LabState

  init(_ scene: Scene?, environment: [String: String]) throws(TerminalError) {
    let address = Address()
    terminal = try CursesTerminal(.init(environment: environment)) { event in
      address.session?.receive(event)
    }
    options = DisplayOptions(
      isASCII: !terminal.capabilities.isUTF8, hasColor: terminal.capabilities.colors > 0)
    lab = LabState(scene)
    pacer = FramePacer { address.session?.draw() }
    address.session = self
    pacer.ask()
  }

  private func receive(_ event: CursesTerminal.Event) {
    switch event {
    case .input(.key(.control("c"))): quit(status: 130)
    case .input(.key(.control("z"))): terminal.suspend()
    case .input(.key(.control("l"))): terminal.redraw()
    case .input(.key(.character("q"))): quit(status: 0)
    case .input(.key(let key)):
      if let command = LabCommand(key), !lab.update(command, at: SystemTimeline.uptime.now) {
        quit(status: 0)
      }
    case .input, .resized, .resumed: break
    case .closed: terminal.die(of: SIGHUP)
    case .signal(let signal): terminal.die(of: signal)
    }
    pacer.ask()
  }

  private func quit(status: Int32) -> Never {
    terminal.close()
    exit(status)
  }

  private func draw() -> TimelineInstant? {
    let now = SystemTimeline.uptime.now
    terminal.present(lab.frame(at: now).canvas(terminal.size, options: options))
    return lab.staleAt(now)
  }
}
