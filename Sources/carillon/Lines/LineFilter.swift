import Dispatch
import TimerKit

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Copies lines from standard input to standard output: those that a limiter lets through.
enum LineFilter {
  private static let blockSize = 1 << 18

  /// Where lines are written; while that blocks, newer lines take the place of older ones.
  static let queue = DispatchQueue(label: "carillon.lines")

  /// What a limiter's handler does on ``queue``.
  static func write(_ line: [UInt8]) {
    do {
      try StandardOutput.write(line + [UInt8(ascii: "\n")])
    } catch {
      Main.end(with: error)
    }
  }

  /// Reads to the end; then nothing that was pending is lost.
  static func run(_ limiter: some CallLimiter<[UInt8]>) throws(StreamError) {
    try StandardOutput.check()
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 1)
    defer { block.deallocate() }
    var batch = LineBatch()
    while true {
      let count = read(STDIN_FILENO, block.baseAddress, block.count)
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw StreamError(stream: "standard input", number: errno)
      }
      batch.take(UnsafeRawBufferPointer(rebasing: block[..<count])) { limiter.call($0) }
    }
    batch.end { limiter.call($0) }
    limiter.flush()
    while limiter.isPending { queue.sync {} }
    // What is on its way is written by then.
    queue.sync {}
  }
}
