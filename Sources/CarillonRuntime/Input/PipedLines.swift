import CursesTerminal
import Dispatch
import Platform

/// The lines that are piped into the dashboard. They are only counted; their text is ignored.
enum PipedLines {
  enum Event: Sendable {
    /// A number of lines has arrived.
    case lines(Int, isFirst: Bool)
    /// The input has ended after a number of lines.
    case ended(Int)
    case failed(StreamError)
  }

  /// Reads until the end of the input, on a queue of its own. The next lines are read after the previous ones
  /// have been processed, so that a faster writer blocks.
  /// - Parameter handle: Called on the main queue. It calls its second argument after it has processed the
  ///   event.
  static func follow(
    _ descriptor: Int32,
    _ handle: @escaping @MainActor @Sendable (Event, @escaping @Sendable () -> Void) -> Void
  ) {
    DispatchQueue(label: "carillon.input").async {
      var counter = LineCounter()
      // Small enough that other timers can fire in between.
      let block = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 1)
      defer { block.deallocate() }
      while true {
        let length = read(descriptor, block.baseAddress, block.count)
        if length < 0, errno == EINTR { continue }
        if length < 0 {
          let error = StreamError(stream: "standard input", number: errno)
          return DispatchQueue.main.async { handle(.failed(error)) {} }
        }
        let before = counter.count
        let new =
          length > 0
          ? counter.add(UnsafeRawBufferPointer(rebasing: block[..<length])) : counter.end()
        if new > 0 {
          let done = DispatchSemaphore(value: 0)
          DispatchQueue.main.async { handle(.lines(new, isFirst: before == 0)) { done.signal() } }
          done.wait()
        }
        guard length > 0 else { break }
      }
      // The end of an input without lines is not reported: it may be /dev/null instead of a pipe.
      let count = counter.count
      if count > 0 { DispatchQueue.main.async { handle(.ended(count)) {} } }
    }
  }
}

/// A counter of lines. The last line may lack its newline.
struct LineCounter {
  private(set) var count = 0
  private var isWithinLine = false

  /// Counts the lines that end in a block.
  /// - Returns: The number of lines.
  mutating func add(_ block: UnsafeRawBufferPointer) -> Int {
    let ends = block.count { $0 == UInt8(ascii: "\n") }
    if let last = block.last { isWithinLine = last != UInt8(ascii: "\n") }
    count += ends
    return ends
  }

  /// Counts the last line if it lacks its newline.
  /// - Returns: 1, or 0 if the input ends with a newline.
  mutating func end() -> Int {
    defer { isWithinLine = false }
    guard isWithinLine else { return 0 }
    count += 1
    return 1
  }
}

/// The sources of the dashboard's keys and of its piped lines.
struct StandardInput {
  /// The descriptor of the terminal.
  var keys = STDIN_FILENO
  /// Standard input, if it is not a terminal.
  var lines: Int32?

  init() throws(TerminalError) {
    guard isatty(STDIN_FILENO) == 0 else { return }
    keys = openControllingTerminal()
    lines = STDIN_FILENO
    if keys < 0 { throw .notATerminal(stream: "standard input") }
  }

  /// Throws if there is no terminal for the dashboard's input or output. Called before a session is taken over from
  /// another process.
  static func check() throws(TerminalError) {
    let input = try StandardInput()
    if input.lines != nil { Platform.close(input.keys) }
    guard isatty(STDOUT_FILENO) == 1 else { throw .notATerminal(stream: "standard output") }
  }
}
