import Platform
import TerminalCore

/// How the locale writes characters as bytes.
enum CharacterEncoding {
  /// Whether the environment's locale is one of UTF-8.
  static func isUTF8(environment: [String: String]) -> Bool {
    let name = environment.locale("LC_CTYPE") ?? "C"
    guard let locale = newlocale(LC_CTYPE_MASK, name, nil) else { return false }
    defer { freelocale(locale) }
    guard let encoding = nl_langinfo_l(nl_item(CODESET), locale) else { return false }
    return String(cString: encoding) == "UTF-8"
  }
}
