// Only part of the build for libFuzzer: `make fuzz-guided`.
#if GUIDED
  import Glibc
  import Synchronization

  // The library has no header for Swift to import.
  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ run: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
  ) -> Int32

  private let target = Mutex<(@Sendable ([UInt8]) -> String?)?>(nil)

  /// Runs a target with libFuzzer, which generates the bytes of the cases and keeps those that
  /// reach new code. It ends the process, so each target runs in a process of its own.
  ///
  /// - `FUZZ_TARGET`: The target to run; without it, each target prints its name.
  /// - `FUZZ_ARGUMENTS`: The arguments of libFuzzer, separated by blanks.
  func guided(_ name: String, fault: @escaping @Sendable ([UInt8]) -> String?) -> [String] {
    guard let requested = getenv("FUZZ_TARGET").map({ String(cString: $0) }) else {
      printError("target: \(name)")
      return []
    }
    guard requested == name else { return [] }
    let text = getenv("FUZZ_ARGUMENTS").map { String(cString: $0) } ?? ""
    let words = [name] + text.split(separator: " ").map(String.init)
    var arguments = words.map { strdup($0) } + [nil]
    var count = Int32(words.count)
    target.withLock { $0 = fault }
    arguments.withUnsafeMutableBufferPointer { buffer in
      var first = buffer.baseAddress
      _ = runDriver(&count, &first) { bytes, count in
        let bytes = Array(UnsafeBufferPointer(start: bytes, count: count))
        if let fault = target.withLock({ $0 })?(bytes) {
          printError(fault)
          abort()
        }
        return 0
      }
    }
    return []
  }
#endif
