#if os(Linux)
  import Glibc

  func entries(of directory: String) -> Int {
    guard let stream = opendir(directory) else { return 0 }
    defer { closedir(stream) }
    var count = 0
    while readdir(stream) != nil { count += 1 }
    return count
  }

  func residentBytes() -> Int {
    guard let file = fopen("/proc/self/statm", "r") else { return 0 }
    defer { fclose(file) }
    var line = [CChar](repeating: 0, count: 128)
    guard fgets(&line, 128, file) != nil else { return 0 }
    let fields = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
      .split(separator: " ")
    return (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE)))
  }
#endif
