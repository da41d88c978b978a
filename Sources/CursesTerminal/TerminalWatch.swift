import CNCurses
import Dispatch
import Platform

/// A watch that calls a handler on the main queue when a terminal can be read or written to, or is closed.
///
/// On Linux it does not watch the terminal's own descriptor, because dispatch can use freed memory
/// when that hangs up (swift-corelibs-libdispatch issue 949).
@MainActor
struct TerminalWatch {
  enum Readiness {
    case reading
    case writing
  }

  /// The system call that fails where `init` returns `nil`.
  static let systemCall: String = {
    #if os(Linux)
      "epoll_create1"
    #else
      "kevent"
    #endif
  }()

  private let source: any DispatchSourceProtocol

  /// Watches a descriptor, which it owns and closes.
  /// - Returns: `nil` if the process has no descriptors left.
  init?(
    _ descriptor: Int32, for readiness: Readiness, handler: @escaping @MainActor () -> Void
  ) {
    #if os(Linux)
      let watched = cn_tty_watch(descriptor, readiness == .writing)
      guard watched >= 0 else {
        Platform.close(descriptor)
        return nil
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: watched, queue: .main)
      source.setCancelHandler {
        Platform.close(watched)
        Platform.close(descriptor)
      }
    #else
      let source: any DispatchSourceProtocol =
        switch readiness {
        case .reading: DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        case .writing: DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .main)
        }
      source.setCancelHandler { Platform.close(descriptor) }
    #endif
    source.setEventHandler { MainActor.assumeIsolated(handler) }
    source.activate()
    self.source = source
  }

  func suspend() { source.suspend() }

  func resume() { source.resume() }

  func cancel() { source.cancel() }
}
