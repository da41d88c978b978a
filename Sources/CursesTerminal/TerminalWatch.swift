import CNCurses
import Dispatch
import Platform

/// Tells on the main queue when a terminal can be read, or written to, or has gone away.
///
/// On Linux it does not watch the terminal's own descriptor: dispatch can go on with memory that it has
/// just freed when one hangs up (swift-corelibs-libdispatch issue 949).
@MainActor
struct TerminalWatch {
  enum Readiness {
    case reading
    case writing
  }

  private let source: any DispatchSourceProtocol

  /// Takes over a descriptor, and closes it when it is watched no more.
  /// - Returns: nil where the system has no descriptor left.
  init?(
    _ descriptor: Int32, for readiness: Readiness, handler: @escaping @MainActor () -> Void
  ) {
    #if os(Linux)
      let watched = cn_tty_watch(descriptor, readiness == .writing)
      guard watched >= 0 else {
        systemClose(descriptor)
        return nil
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: watched, queue: .main)
      source.setCancelHandler {
        systemClose(watched)
        systemClose(descriptor)
      }
    #else
      let source: any DispatchSourceProtocol =
        switch readiness {
        case .reading: DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        case .writing: DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .main)
        }
      source.setCancelHandler { systemClose(descriptor) }
    #endif
    source.setEventHandler { MainActor.assumeIsolated(handler) }
    source.activate()
    self.source = source
  }

  func suspend() { source.suspend() }

  func resume() { source.resume() }

  func cancel() { source.cancel() }
}
