/// The current boot of the machine.
public enum SystemBoot {
  /// The unique identifier of this boot; `nil` if the system has none.
  public static let id: String? = {
    var bytes = [UInt8](repeating: 0, count: 64)
    #if canImport(Darwin)
      var count = bytes.count
      guard sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return nil }
    #else
      let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      let count = bytes.withUnsafeMutableBytes {
        read(descriptor, $0.baseAddress, $0.count)
      }
    #endif
    let text = String(decoding: bytes.prefix(max(0, count)).prefix { $0 > 32 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }()
}
