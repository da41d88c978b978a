import Platform

/// An error of a file.
struct FileError: ProgramError, Hashable {
  var path: String
  var reason: String
  var description: String { "\(path): \(reason)" }

  init(_ path: String, _ number: Int32 = errno) {
    self.path = path
    reason = String(cString: strerror(number))
  }

  init(_ path: String, _ reason: String) {
    self.path = path
    self.reason = reason
  }
}
