import Dispatch
import Synchronization

#if canImport(System)
  import System
#else
  import SystemPackage
#endif

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Reads what a command prints and keeps the end of it, however much that is.
///
/// It ends with the command, not with its output: a child that lives on may hold that open.
final class OutputTail: Sendable {
  private static let limit = 4096

  /// For the command; whoever starts it closes this.
  let writeEnd: FileDescriptor
  private let bytes = Mutex<[UInt8]>([])
  private let queue = DispatchQueue(label: "carillon.output", qos: .utility)
  private let readEnd: FileDescriptor
  private let source: Mutex<any DispatchSourceRead>

  init() throws {
    let (readEnd, writeEnd) = try FileDescriptor.pipe()
    self.writeEnd = writeEnd
    for end in [readEnd, writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(readEnd.rawValue, F_SETFL, O_NONBLOCK)
    self.readEnd = readEnd
    let source = DispatchSource.makeReadSource(fileDescriptor: readEnd.rawValue, queue: queue)
    source.setCancelHandler { @Sendable in try? readEnd.close() }
    self.source = Mutex(source)
    self.source.withLock { source in
      source.setEventHandler { @Sendable [weak self] in
        guard let self, read() == 0 else { return }
        self.source.withLock { $0.cancel() }
      }
      source.activate()
    }
  }

  /// Stops reading.
  /// - Returns: the last line that was more than blanks.
  func end() async -> String {
    await withCheckedContinuation { continuation in
      queue.async { [self] in
        source.withLock { source in
          // What was printed last may not have been read yet.
          while !source.isCancelled, read() > 0 {}
          source.cancel()
        }
        continuation.resume(returning: Self.lastLine(of: bytes.withLock { $0 }))
      }
    }
  }

  /// Takes what is there; 0 at the end, below that for nothing.
  private func read() -> Int {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { block in
      guard let count = try? readEnd.read(into: block) else { return -1 }
      bytes.withLock { bytes in
        bytes.append(contentsOf: block[..<count].suffix(Self.limit))
        if bytes.count > Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
      }
      return count
    }
  }

  private static func lastLine(of bytes: [UInt8]) -> String {
    let isLineEnd: (UInt8) -> Bool = { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let lines = bytes.split(whereSeparator: isLineEnd).lazy
      .map { String(decoding: $0, as: UTF8.self) }
    return lines.last { line in !line.allSatisfy(\.isWhitespace) } ?? ""
  }
}
