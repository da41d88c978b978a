import Dispatch
import Logging
import ServiceLifecycle
import TimerKit
import TimerKitServiceLifecycle
import UnixSignals

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// An example: a server that receives metrics as datagrams, as statsd does, and passes them on in batches. When it is asked
/// to stop, by SIGTERM, it receives no more, and passes on what it has.
struct MetricServer: Sendable {
  let port: UInt16  // on the loopback interface
  private let descriptor: Int32
  private let batcher: Batcher<String>

  struct SystemError: Error { let number: Int32 }

  init(store: @escaping @Sendable ([String]) -> Void) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, Int32(SOCK_DGRAM), 0)
    #endif
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutableBytes(of: &address) { [descriptor] bytes in
      bytes.withMemoryRebound(to: sockaddr.self) { addresses in
        bind(descriptor, addresses.baseAddress, size) == 0
          && getsockname(descriptor, addresses.baseAddress, &size) == 0
      }
    }
    guard isBound else { throw SystemError(number: errno) }
    port = UInt16(bigEndian: address.sin_port)
    batcher = try Batcher(count: 1_000, maxWait: .seconds(60)) { _, metrics in store(metrics) }
  }

  /// The services of the server. The one that drains is first, because it shuts down last.
  func group(logger: Logger) throws -> ServiceGroup {
    let status = try RepeaterService(.init(.interval(.seconds(10)))) { [batcher] _ in
      logger.info("\(batcher.snapshot)")
    }
    let services: [any Service] = [
      DrainingService(batcher), status, ClosureService { try await receive() },
    ]
    return ServiceGroup(services: services, gracefulShutdownSignals: [.sigterm], logger: logger)
  }

  private func receive() async throws {
    let source = DispatchSource.makeReadSource(fileDescriptor: descriptor)
    source.setEventHandler { addReceived() }
    source.activate()
    try? await gracefulShutdown()
    await withCheckedContinuation { continuation in
      source.setCancelHandler { continuation.resume() }
      source.cancel()
    }
    addReceived()
    close(descriptor)
  }

  /// Adds the datagrams that have arrived.
  private func addReceived() {
    var buffer = [UInt8](repeating: 0, count: 1_500)
    while case let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT)), count > 0 {
      batcher.add(String(decoding: buffer.prefix(count), as: UTF8.self))
    }
  }
}
