#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// A standard stream that cannot be used.
struct StreamError: Error, CustomStringConvertible {
  var stream: String
  /// As `errno` has it.
  var number: Int32

  /// Nobody reads any more, which is no fault to be told of.
  var isBrokenPipe: Bool { number == EPIPE }

  var description: String { "\(stream): \(String(cString: strerror(number)))" }
}

enum StandardOutput {
  /// Finds out before there is anything to lose: a closed one may become another file.
  static func check() throws(StreamError) {
    if fcntl(STDOUT_FILENO, F_GETFD) == -1 {
      throw StreamError(stream: "standard output", number: errno)
    }
  }

  /// Writes all of it, however long that takes.
  static func write(_ bytes: [UInt8]) throws(StreamError) {
    var start = 0
    while start < bytes.count {
      let count = bytes.withUnsafeBytes { bytes in
        let rest = UnsafeRawBufferPointer(rebasing: bytes[start...])
        return systemWrite(STDOUT_FILENO, rest.baseAddress, rest.count)
      }
      if count >= 0 {
        start += count
      } else if errno == EAGAIN {
        var ready = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
        _ = poll(&ready, 1, -1)
      } else if errno != EINTR {
        throw StreamError(stream: "standard output", number: errno)
      }
    }
  }

  static func write(_ text: String) throws(StreamError) {
    try write(Array(text.utf8))
  }
}

/// The system's, where a method has its name.
private func systemWrite(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(descriptor, bytes, count)
}
