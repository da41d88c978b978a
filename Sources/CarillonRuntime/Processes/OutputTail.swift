import Dispatch
import Platform
import Synchronization

/// A reader of the output of a command, which keeps the last part.
///
/// It ends with the command, not with the output, which a surviving child may hold open. It polls on its own
/// queue instead of using a dispatch source: on Linux, when the other end of a pipe is closed, dispatch
/// can use freed memory (swift-corelibs-libdispatch issue 949).
final class OutputTail: Sendable {
  private static let limit = 4096

  /// The pipe of the output. Its write end stays open in this process, so that the reader sees no end before ``end()``.
  private let readEnd: FileDescriptor
  private let writeEnd: FileDescriptor
  /// The pipe that ends the reader.
  private let endRead: FileDescriptor
  private let endWrite: FileDescriptor
  private let bytes = Mutex<[UInt8]>([])
  private let queue = DispatchQueue(label: "carillon.output", qos: .utility)

  /// The descriptor to write to.
  var descriptor: Int32 { writeEnd.rawValue }

  init() throws {
    (readEnd, writeEnd) = try FileDescriptor.pipe()
    do {
      (endRead, endWrite) = try FileDescriptor.pipe()
    } catch {
      for end in [readEnd, writeEnd] { try? end.close() }
      throw error
    }
    for end in [readEnd, writeEnd, endRead, endWrite] {
      _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC)
    }
    _ = fcntl(readEnd.rawValue, F_SETFL, O_NONBLOCK)
    queue.async { [self] in follow() }
  }

  /// Stops reading.
  /// - Returns: The last line that is not blank.
  func end() async -> String {
    // Not into the output: a surviving child may have filled it, and the reader may close it meanwhile.
    _ = try? endWrite.writeAll("\n".utf8)
    try? endWrite.close()
    return await withCheckedContinuation { continuation in
      // After the last read.
      queue.async { [self] in
        continuation.resume(returning: Self.lastLine(of: bytes.withLock { $0 }))
      }
    }
  }

  private func follow() {
    var ends = [readEnd, endRead].map {
      pollfd(fd: $0.rawValue, events: Int16(POLLIN), revents: 0)
    }
    while ends[1].revents == 0 {
      if poll(&ends, 2, -1) < 0, errno != EINTR { break }
      read()
    }
    // The last output may not have been read yet. Two reads of 64 KiB each empty a pipe of the usual size; more are not
    // made, because a surviving child may print without end.
    for _ in 0..<2 where !read() { break }
    for end in [readEnd, writeEnd, endRead] { try? end.close() }
  }

  /// Reads the available bytes.
  /// - Returns: False if there are none.
  @discardableResult
  private func read() -> Bool {
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 1) { block in
      guard let count = try? readEnd.read(into: block), count > 0 else { return false }
      bytes.withLock { bytes in
        bytes.append(contentsOf: block[..<count].suffix(Self.limit))
        if bytes.count > Self.limit { bytes.removeFirst(bytes.count - Self.limit) }
      }
      return true
    }
  }

  private static func lastLine(of bytes: [UInt8]) -> String {
    let isLineEnd: (UInt8) -> Bool = { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
    let lines = bytes.split(whereSeparator: isLineEnd).lazy
      .map { String(decoding: $0, as: UTF8.self) }
    return lines.last { line in !line.allSatisfy(\.isWhitespace) } ?? ""
  }
}
