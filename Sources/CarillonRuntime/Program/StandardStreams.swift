import Platform

/// An error of a standard stream.
package struct StreamError: ProgramError {
  var stream: String
  /// The error number, as in `errno`.
  var number: Int32

  /// A Boolean value that indicates whether the reader of a pipe is gone.
  var isBrokenPipe: Bool { number == EPIPE }

  package var description: String { "\(stream): \(String(cString: strerror(number)))" }
}

/// The standard streams of the process.
package enum StandardStreams {
  /// Opens the null device for each closed standard stream, so that no file opened later gets its descriptor.
  /// The mode is the opposite one, so that using the stream is still an error.
  package static func reserveStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // `open` returns the lowest free descriptor, which is this one.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// The number of descriptors that the program keeps for itself, beside those of its clients. Dispatch ends the process
  /// when none is left: on Linux it opens a file once a second while threads are at work.
  static let neededDescriptors = 24

  /// Throws if the process can open too few files. Called after ``reserveStreams()``, before anything else is opened.
  package static func checkLimit() throws {
    if let problem = limitProblem(neededDescriptors) { throw ProgramFailure(problem) }
  }

  /// Throws if an owner of a session could serve no client. Called before a session is opened.
  static func checkLimitOfOwner() throws(ProgramFailure) {
    let count = neededDescriptors + ownerDescriptors + 1
    if let problem = limitProblem(count) { throw ProgramFailure("serve: \(problem)") }
  }

  /// The number of descriptors that an owner has open without a client: the lock, the socket, the watch of its folder, those
  /// of Dispatch, and two more.
  private static let ownerDescriptors = 12

  /// Returns the problem if the process cannot open that many more files; `nil` if it can.
  static func limitProblem(_ count: Int) -> String? {
    let free = freeDescriptors(atMost: count)
    guard free < count, let limit = descriptorLimit else { return nil }
    return
      "too few open files allowed: \(limit) (expected at least \(limit + count - free), see ulimit -n)"
  }

  /// Throws if standard output is not open for writing.
  package static func check() throws(StreamError) {
    let flags = fcntl(STDOUT_FILENO, F_GETFL)
    guard flags == -1 || flags & O_ACCMODE == O_RDONLY else { return }
    throw StreamError(stream: "standard output", number: EBADF)
  }

  /// A Boolean value that indicates whether standard output is a terminal that shows only ASCII. The output to a pipe or
  /// a file does not depend on the locale.
  static var isASCIITerminal: Bool {
    isatty(STDOUT_FILENO) == 1 && !Program.usesUTF8
  }

  /// Writes all bytes, without a time limit.
  package static func write(
    _ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO
  ) throws(StreamError) {
    let number = writeAll(bytes, to: descriptor)
    guard number != 0 else { return }
    let stream = descriptor == STDERR_FILENO ? "standard error" : "standard output"
    throw StreamError(stream: stream, number: number)
  }

  package static func write(_ text: String) throws(StreamError) {
    try write(Array(text.utf8))
  }
}
