import CHeap

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The resources that this process uses.
enum Resources {
  /// The bytes of the heap in use, including the allocator's own.
  static var heapBytes: Int { Int(heap_bytes_in_use()) }

  /// The resident bytes after free memory is returned to the system, or `nil` without `/proc`.
  static var residentBytes: Int? {
    heap_trim()
    guard let file = fopen("/proc/self/statm", "r") else { return nil }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, Int32(line.count), file) != nil else { return nil }
    let fields = String(decoding: line.map(UInt8.init(bitPattern:)), as: UTF8.self).split(
      separator: " ")
    return fields.count > 1 ? Int(fields[1]).map { $0 * Int(getpagesize()) } : nil
  }

  /// The threads of the process, or `nil` without `/proc`.
  static var threads: Int? {
    // A folder has one link from its parent, one from itself, and one from each subfolder.
    var status = stat()
    guard stat("/proc/self/task", &status) == 0 else { return nil }
    return Int(status.st_nlink) - 2
  }

  /// The number of voluntary and involuntary context switches.
  static var switches: Int {
    var usage = rusage()
    getrusage(ownProcess, &usage)
    return usage.ru_nvcsw + usage.ru_nivcsw
  }

  #if canImport(Darwin)
    private static let ownProcess = RUSAGE_SELF
  #else
    private static let ownProcess = __rusage_who_t(RUSAGE_SELF.rawValue)
  #endif
}
