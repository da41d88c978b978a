import Platform
import TerminalCore

/// The time format of the locale.
enum TimeOfDay {
  /// Returns true if the environment's locale writes 2:29 pm rather than 14:29.
  static func uses12Hours(environment: [String: String]) -> Bool {
    let name = environment.locale("LC_TIME") ?? "C"
    guard let locale = newlocale(LC_TIME_MASK, name, nil) else { return false }
    defer { freelocale(locale) }
    guard let format = nl_langinfo_l(nl_item(T_FMT), locale) else { return false }
    return ["%r", "%I", "%l", "%p"].contains { String(cString: format).contains($0) }
  }
}
