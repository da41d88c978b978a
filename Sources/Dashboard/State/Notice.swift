/// The message line: what was done, or what could not be done and why.
struct Notice: Hashable, Sendable {
  var text: String
  var isRefusal: Bool

  static func done(_ text: String) -> Notice { Notice(text: text, isRefusal: false) }
  static func refused(_ text: String) -> Notice { Notice(text: text, isRefusal: true) }
}
