import CursesTerminal
import Dashboard
import Dispatch
import Platform
import TerminalCore
import TimerBoard
import TimerKit

/// The board of another process in a terminal: it connects the keys, the requests and the frames.
@MainActor
final class AttachSession {
  private let terminal: CursesTerminal
  private let peer: AttachPeer
  private let pacer: FramePacer
  /// The queue that waits for the replies, so that keys do not.
  private let queue = DispatchQueue(label: "carillon.attach")
  private var board: AttachedBoard

  init(_ peer: AttachPeer, _ configuration: Configuration) throws(TerminalError) {
    let reference = WeakReference<AttachSession>()
    var terminalOptions = CursesTerminal.Options(environment: Program.environment)
    terminalOptions.input = try StandardInput().keys
    terminalOptions.usesMouse = configuration.usesMouse
    terminal = try CursesTerminal(
      terminalOptions, onInput: { inputs in reference.object?.receive(inputs) },
      onEvent: { event in reference.object?.receive(event) })
    self.peer = peer
    pacer = FramePacer { reference.object?.draw() }
    board = AttachedBoard(
      peer.process, options: configuration.display.fitting(terminal),
      bindings: configuration.bindings, size: terminal.size)
    reference.object = self
    pacer.request()
  }

  private func receive(_ event: CursesTerminal.Event) {
    switch event {
    case .resized(let size): board.resize(to: size, at: .now())
    case .resumed: break
    case .closed: terminal.exit(bySignal: SIGHUP)
    case .signal(let signal): terminal.exit(bySignal: signal)
    }
    pacer.request()
  }

  /// - Returns: The number of inputs that were handled; `nil` to drop all that has arrived.
  private func receive(_ inputs: ArraySlice<TerminalInput>) -> Int? {
    let (count, effects) = board.update(inputs, at: .now())
    effects.forEach(perform)
    pacer.request()
    return count
  }

  private func perform(_ effect: Effect) {
    switch effect {
    case .redraw: terminal.redraw()
    case .suspend: terminal.suspend()
    case .quit(let status):
      terminal.close()
      Platform.exit(status)
    default: break
    }
  }

  /// Sends the request that is due, and draws a frame.
  private func draw() -> TimerClock.Instant? {
    let now = ClockReading.now()
    if let request = board.nextRequest(at: now.suspending) {
      queue.async { [peer, weak self] in
        let reply = Result { () throws(AttachError) in try peer.reply(to: request, hasLimit: false)
        }
        DispatchQueue.main.async { self?.receive(reply) }
      }
    }
    let frame = board.frame(at: now)
    terminal.present(frame.canvas)
    return frame.nextRedraw
  }

  private func receive(_ reply: Result<AttachReply, AttachError>) {
    switch reply {
    case .success(let reply): board.receive(reply, at: .now())
    case .failure(let error): board.end("the process \(error)")
    }
    pacer.request()
  }
}

extension DisplayOptions {
  /// Returns the options for a terminal.
  @MainActor func fitting(_ terminal: CursesTerminal) -> DisplayOptions {
    var options = self
    options.isASCII = !terminal.isUTF8
    options.hasColor = terminal.colors > 0
    options.colorCount = terminal.colors
    options.uses24Hours = Program.uses24Hours
    return options
  }
}
