import CHeap

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// What this process holds of the machine.
enum Resources {
  /// Bytes of the heap in use, the allocator's own included.
  static var heapBytes: Int { Int(heap_bytes_in_use()) }

  /// Resident bytes, after what is free was given back; `nil` where there is no `/proc`.
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

  /// Threads of the process; `nil` where there is no `/proc`.
  static var threads: Int? {
    // A folder has one link from its parent, one from itself, and one from each folder in it.
    var status = stat()
    guard stat("/proc/self/task", &status) == 0 else { return nil }
    return Int(status.st_nlink) - 2
  }

  /// Times that a thread gave the processor away, or lost it.
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
