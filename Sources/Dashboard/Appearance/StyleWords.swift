import TerminalCore
import TimerBoard

/// An error in a theme of the configuration.
package struct ThemeError: Error, Hashable, CustomStringConvertible {
  /// The name of the style: `paused`.
  package let key: String
  package let description: String

  /// - Parameter forms: Descriptions of other expected words, such as `#rrggbb`. They are listed after `known`, but
  ///   never suggested for a misspelled word.
  init(key: String, unknown word: String, kind: String, known: [String], forms: [String] = []) {
    self.key = key
    let nearest = Suggestion.hint(for: word, of: known)
    let expected = (known + forms).joined(separator: ", ")
    description = "unknown \(kind) '\(word)' (\(nearest ?? "expected \(expected)"))"
  }
}

extension Style {
  /// The names of the palette's first sixteen colors.
  private static let colors = ["", "bright-"].flatMap { prefix in
    ["black", "red", "green", "yellow", "blue", "magenta", "cyan", "white"].map { prefix + $0 }
  }
  private static let attributeWords: [(String, Attributes)] = [
    ("bold", .bold), ("dim", .dim), ("underline", .underline), ("reverse", .reverse),
    ("blink", .blink), ("italic", .italic), ("plain", []),
  ]

  /// Parses `bold bright-yellow on #202020`: attributes, the color of the text, and after `on` that of the
  /// background. Colors are names, numbers up to 255, or `#rrggbb`, which becomes the nearest color of the terminal;
  /// `standard` is the terminal's own color.
  init(words: String, forKey key: String) throws(ThemeError) {
    var style = Style.plain
    var isBackground = false
    for word in words.lowercased().split(separator: " ").map(String.init) {
      if word == "on" {
        isBackground = true
      } else if let attribute = Self.attributeWords.first(where: { $0.0 == word }) {
        style.attributes.formUnion(attribute.1)
      } else if let color = Self.color(word) {
        if isBackground { style.background = color } else { style.foreground = color }
      } else {
        throw ThemeError(
          key: key, unknown: word, kind: "color or attribute",
          known: Self.attributeWords.map(\.0) + Self.colors + ["on", "standard"],
          forms: ["0 to 255", "#rrggbb"])
      }
    }
    self = style
  }

  private static func color(_ word: String) -> Color? {
    if word == "standard" { return .standard }
    if let index = colors.firstIndex(of: word) { return .indexed(UInt8(index)) }
    if word.hasPrefix("#"), word.count == 7, word.dropFirst().allSatisfy(\.isHexDigit),
      let number = UInt32(word.dropFirst(), radix: 16)
    {
      return .rgb(
        UInt8(truncatingIfNeeded: number >> 16), UInt8(truncatingIfNeeded: number >> 8),
        UInt8(truncatingIfNeeded: number))
    }
    return word.hasPrefix("+") ? nil : UInt8(word).map { .indexed($0) }
  }
}
