// Part of a build for libFuzzer alone: `make fuzz-guided`.
#if GUIDED
  import Glibc
  import Synchronization

  // The library has no header that Swift could import.
  @_silgen_name("LLVMFuzzerRunDriver")
  private func runDriver(
    _ count: UnsafeMutablePointer<Int32>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>,
    _ play: @convention(c) (UnsafePointer<UInt8>?, Int) -> Int32
  ) -> Int32

  private let target = Mutex<(@Sendable ([UInt8]) -> String?)?>(nil)

  /// libFuzzer in place of chance: it makes up the bytes that a case is made of, and keeps those that
  /// reach code that no others have reached. It ends the process, so each target has one of its own:
  ///
  /// - `FUZZ_TARGET`: the only one that is played; without it, each tells its name.
  /// - `FUZZ_ARGUMENTS`: libFuzzer's, with blanks between them.
  func guided(_ name: String, fault: @escaping @Sendable ([UInt8]) -> String?) -> [String] {
    guard let asked = getenv("FUZZ_TARGET").map({ String(cString: $0) }) else {
      tell("target: \(name)")
      return []
    }
    guard asked == name else { return [] }
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
          tell(fault)
          abort()
        }
        return 0
      }
    }
    return []
  }
#endif
