/// The message line: what was done, or what could not be done and why.
struct Notice: Hashable, Sendable {
  var text: String
  var isRefusal: Bool
  /// The timer it is about, where the text begins with its name.
  var label = ""

  static func done(_ text: String) -> Notice { Notice(text: text, isRefusal: false) }
  static func done(_ deed: String, by label: String) -> Notice {
    Notice(text: "\(label): \(deed)", isRefusal: false, label: label)
  }
  static func refused(_ text: String) -> Notice { Notice(text: text, isRefusal: true) }
}
