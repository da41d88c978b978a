import Platform

/// A standard stream that cannot be used.
package struct StreamError: ProgramError {
  var stream: String
  /// The error number, as in `errno`.
  var number: Int32

  /// A Boolean value that indicates whether nobody reads any more, which is not reported.
  var isBrokenPipe: Bool { number == EPIPE }

  package var description: String { "\(stream): \(String(cString: strerror(number)))" }
}

package enum StandardOutput {
  /// Opens the null device in place of each closed stream, in a mode in which it cannot be used either, so
  /// that no file opened later takes its place.
  package static func reserveStreams() {
    for descriptor in STDIN_FILENO...STDERR_FILENO where fcntl(descriptor, F_GETFD) == -1 {
      // The lowest free descriptor.
      _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
    }
  }

  /// Throws if standard output cannot be written, before there is anything to lose.
  package static func check() throws(StreamError) {
    let flags = fcntl(STDOUT_FILENO, F_GETFL)
    guard flags == -1 || flags & O_ACCMODE == O_RDONLY else { return }
    throw StreamError(stream: "standard output", number: EBADF)
  }

  /// Writes all bytes, however long that takes.
  package static func write(
    _ bytes: [UInt8], to descriptor: Int32 = STDOUT_FILENO
  ) throws(StreamError) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        return systemWrite(descriptor, rest.baseAddress, rest.count)
      }
      if count >= 0 {
        start += count
      } else if errno == EAGAIN {
        var ready = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
      } else if errno != EINTR {
        let stream = descriptor == STDERR_FILENO ? "standard error" : "standard output"
        throw StreamError(stream: stream, number: errno)
      }
    }
  }

  package static func write(_ text: String) throws(StreamError) {
    try write(Array(text.utf8))
  }
}
