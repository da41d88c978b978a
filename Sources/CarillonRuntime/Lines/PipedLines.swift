import Dispatch
import Platform

/// Lines that are piped into the dashboard. Only their number matters: whatever is in them, and
/// however long they are, nothing of it is kept or shown.
enum PipedLines {
  enum Event: Sendable {
    /// So many have come.
    case lines(Int, isFirst: Bool)
    /// There are no more, after so many.
    case ended(Int)
    case failed(StreamError)
  }

  /// Reads to the end, off the main queue. Nothing more is read before what came is dealt with: who
  /// writes faster has to wait.
  /// - Parameter take: called on the main queue, and to call what it is given when it is done.
  static func follow(
    _ descriptor: Int32,
    _ take: @escaping @MainActor @Sendable (Event, @escaping @Sendable () -> Void) -> Void
  ) {
    DispatchQueue(label: "carillon.input").async {
      var counter = LineCounter()
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 1)
      defer { block.deallocate() }
      while true {
        let length = read(descriptor, block.baseAddress, block.count)
        if length < 0, errno == EINTR { continue }
        if length < 0 {
          let error = StreamError(stream: "standard input", number: errno)
          return DispatchQueue.main.async { take(.failed(error)) {} }
        }
        let before = counter.count
        let new =
          length > 0
          ? counter.take(UnsafeRawBufferPointer(rebasing: block[..<length])) : counter.end()
        if new > 0 {
          let done = DispatchSemaphore(value: 0)
          DispatchQueue.main.async { take(.lines(new, isFirst: before == 0)) { done.signal() } }
          done.wait()
        }
        guard length > 0 else { break }
      }
      // Without any it was no pipe for us, but /dev/null.
      let count = counter.count
      if count > 0 { DispatchQueue.main.async { take(.ended(count)) {} } }
    }
  }
}

/// Counts lines; a last one may lack its end.
struct LineCounter {
  private(set) var count = 0
  private var isWithinLine = false

  /// - Returns: how many lines end in a block.
  mutating func take(_ block: UnsafeRawBufferPointer) -> Int {
    var ends = 0
    for byte in block where byte == UInt8(ascii: "\n") { ends += 1 }
    if let last = block.last { isWithinLine = last != UInt8(ascii: "\n") }
    count += ends
    return ends
  }

  /// - Returns: how many lines the end of the input ends.
  mutating func end() -> Int {
    defer { isWithinLine = false }
    guard isWithinLine else { return 0 }
    count += 1
    return 1
  }
}
