import CursesTerminal
import Dispatch
import Platform
import Synchronization
import TimerKit

/// A filter that copies lines from standard input to standard output through a limiter.
enum LineFilter {
  private static let blockSize = 1 << 18

  /// The queue on which lines are written; while a write blocks, newer lines replace older ones.
  static let queue = DispatchQueue(label: "carillon.lines")

  /// Writes a line. The handlers of limiters call it on ``queue``.
  static func write(_ line: [UInt8]) {
    do {
      try StandardStreams.write(line + [UInt8(ascii: "\n")])
    } catch {
      Program.exit(with: error)
    }
  }

  @MainActor private static var signals: Signals?
  private static let isEnding = Atomic(false)

  /// Reads until the end of the input or a signal, and then writes pending lines.
  static func run(_ limiter: some CallLimiter<[UInt8]>) throws(StreamError) -> Never {
    try StandardStreams.check()
    MainActor.assumeIsolated {
      signals = Signals([SIGINT, SIGTERM, SIGHUP]) { end(limiter, by: $0) }
    }
    DispatchQueue(label: "carillon.input").async {
      do {
        try read(into: limiter)
      } catch {
        drain(limiter)
        if let error = error as? any ProgramError { Program.exit(with: error) }
        Program.exit(ExitStatus.failure, "\(error)")
      }
      // After a signal the program ends by that signal.
      if !isEnding.load(ordering: .acquiring) { exit(ExitStatus.success) }
    }
    dispatchMain()
  }

  private static func read(into limiter: some CallLimiter<[UInt8]>) throws {
    let block = UnsafeMutableRawBufferPointer.allocate(byteCount: blockSize, alignment: 1)
    defer { block.deallocate() }
    var lines = LineSplitter()
    while true {
      let count = Platform.read(STDIN_FILENO, block.baseAddress, block.count)
      if isEnding.load(ordering: .acquiring) { return }
      if count == 0 { break }
      if count < 0 {
        if errno == EINTR { continue }
        throw StreamError(stream: "standard input", number: errno)
      }
      try lines.process(UnsafeRawBufferPointer(rebasing: block[..<count])) { limiter.call($0) }
    }
    lines.end { limiter.call($0) }
    drain(limiter)
  }

  private static func drain(_ limiter: some CallLimiter<[UInt8]>) {
    limiter.flush()
    while limiter.isPending { queue.sync {} }
    // Wait until the last delivered line is written.
    queue.sync {}
  }

  /// Writes pending lines and ends the process, at the latest after a second or at another signal.
  @MainActor
  private static func end(_ limiter: some CallLimiter<[UInt8]>, by number: Int32) {
    guard !isEnding.exchange(true, ordering: .acquiringAndReleasing) else {
      Program.exit(bySignal: number)
    }
    DispatchQueue(label: "carillon.end").async {
      drain(limiter)
      Program.exit(bySignal: number)
    }
    DispatchQueue.main.asyncAfter(deadline: .now() + .seconds(1)) { Program.exit(bySignal: number) }
  }
}

/// A splitter of blocks of bytes into lines.
struct LineSplitter {
  /// The limit in bytes.
  static let longestLine = 16 << 20
  private static let newline = UInt8(ascii: "\n")

  /// The bytes since the last newline.
  private var rest: [UInt8] = []

  /// Processes a block.
  /// - Parameter deliver: Called with lines without their newlines, in order.
  mutating func process(_ block: UnsafeRawBufferPointer, _ deliver: ([UInt8]) -> Void) throws {
    var left = block[...]
    while let end = left.firstIndex(of: Self.newline) {
      try append(left[..<end])
      deliver(rest)
      rest = []
      left = left[(end + 1)...]
    }
    try append(left)
  }

  private mutating func append(_ bytes: Slice<UnsafeRawBufferPointer>) throws {
    guard rest.count + bytes.count <= Self.longestLine else {
      throw ProgramFailure(
        "standard input: line is too long (expected at most \(Self.longestLine >> 20) MiB)")
    }
    rest.append(contentsOf: bytes)
  }

  /// Processes the end of the input: the last line may lack its newline.
  mutating func end(_ deliver: ([UInt8]) -> Void) {
    if !rest.isEmpty { deliver(rest) }
    rest = []
  }
}
