/// The message line: what was done, or what could not be done and why.
struct Notice: Hashable, Sendable {
  /// The timer it is about, where that is told first.
  var label = ""
  var deed: String
  var isRefusal: Bool

  var text: String { label.isEmpty ? deed : "\(label): \(deed)" }

  static func done(_ deed: String, by label: String = "") -> Notice {
    Notice(label: label, deed: deed, isRefusal: false)
  }
  static func refused(_ text: String) -> Notice { Notice(deed: text, isRefusal: true) }
}
