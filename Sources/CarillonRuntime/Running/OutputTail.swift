import Dispatch
import Platform
import Synchronization

/// Reads what a command prints and keeps the end of it, however much that is.
///
/// It ends with the command, not with its output: a child that lives on may hold that open. It waits
/// in a thread of its own, since a dispatch source would not do: on Linux, when the other end of a pipe
/// is closed, dispatch can go on with what it has just freed (swift-corelibs-libdispatch issue 949).
final class OutputTail: Sendable {
  private static let limit = 4096

  /// The command's. It stays open here as well, to end the reader's waiting.
  private let writeEnd: FileDescriptor
  private let readEnd: FileDescriptor
  private let isEnding = Atomic(false)
  private let bytes = Mutex<[UInt8]>([])
  private let queue = DispatchQueue(label: "carillon.output", qos: .utility)

  /// The descriptor to write to.
  var descriptor: Int32 { writeEnd.rawValue }

  init() throws {
    (readEnd, writeEnd) = try FileDescriptor.pipe()
    for end in [readEnd, writeEnd] { _ = fcntl(end.rawValue, F_SETFD, FD_CLOEXEC) }
    _ = fcntl(readEnd.rawValue, F_SETFL, O_NONBLOCK)
    queue.async { [self] in follow() }
  }

  /// Stops reading.
  /// - Returns: the last line that was more than blanks.
  func end() async -> String {
    isEnding.store(true, ordering: .releasing)
    // Where there is no room for it the reader is at work, and makes some.
    _ = try? writeEnd.writeAll("\n".utf8)
    return await withCheckedContinuation { continuation in
      // Behind the reading.
      queue.async { [self] in
        continuation.resume(returning: Self.lastLine(of: bytes.withLock { $0 }))
      }
    }
  }

  private func follow() {
    var output = pollfd(fd: readEnd.rawValue, events: Int16(POLLIN), revents: 0)
    while !isEnding.load(ordering: .acquiring) {
      if poll(&output, 1, -1) < 0, errno != EINTR { break }
      read()
    }
    // What was printed last may not have been read yet. This is as much as a pipe holds: a child that
    // lives on may print without end.
    for _ in 0..<2 where !read() { break }
    for end in [readEnd, writeEnd] { try? end.close() }
  }

  /// Takes what is there.
  /// - Returns: false for nothing.
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
