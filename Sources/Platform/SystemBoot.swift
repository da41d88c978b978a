/// The current boot of the machine.
public enum SystemBoot {
  /// The unique identifier of this boot; `nil` if the system has none.
  public static let id: String? = {
    #if canImport(Darwin)
      var bytes = [UInt8](repeating: 0, count: 64)
      var count = bytes.count
      guard sysctlbyname("kern.bootsessionuuid", &bytes, &count, nil, 0) == 0 else { return nil }
    #else
      let bytes = contents(ofSmallFile: "/proc/sys/kernel/random/boot_id") ?? []
    #endif
    let text = String(decoding: bytes.prefix { $0 > 32 }, as: UTF8.self)
    return text.isEmpty ? nil : text
  }()
}
