import CNCurses
import Dispatch
import Platform

/// The system call that fails where ``watchTerminal(_:forWriting:handler:)`` returns `nil`.
#if os(Linux)
  let watchingSystemCall = "epoll_create1"
#else
  let watchingSystemCall = "kevent"
#endif

/// Calls a handler on the main queue when a terminal can be read or written to, or is closed.
///
/// On Linux it does not watch the terminal's own descriptor, because dispatch can use freed memory
/// when that hangs up (swift-corelibs-libdispatch issue 949).
/// - Parameter descriptor: The descriptor to watch, which the source owns and closes.
/// - Returns: `nil` if the process has no descriptors left.
@MainActor
func watchTerminal(
  _ descriptor: Int32, forWriting: Bool = false, handler: @escaping @MainActor () -> Void
) -> (any DispatchSourceProtocol)? {
  #if os(Linux)
    let watched = cn_tty_watch(descriptor, forWriting)
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
      forWriting
      ? DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: .main)
      : DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
    source.setCancelHandler { Platform.close(descriptor) }
  #endif
  source.setEventHandler { MainActor.assumeIsolated(handler) }
  source.activate()
  return source
}
