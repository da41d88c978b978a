import Platform
import TerminalCore

/// The character encoding of the locale.
enum CharacterEncoding {
  /// Returns true if the environment's locale uses UTF-8.
  static func isUTF8(environment: [String: String]) -> Bool {
    let name = environment.locale("LC_CTYPE") ?? "C"
    guard let locale = newlocale(LC_CTYPE_MASK, name, nil) else { return false }
    defer { freelocale(locale) }
    guard let encoding = nl_langinfo_l(nl_item(CODESET), locale) else { return false }
    return String(cString: encoding) == "UTF-8"
  }
}
