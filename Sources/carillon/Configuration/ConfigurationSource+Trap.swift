extension ConfigurationSource {
  /// What TOMLKit's parser ends the process at, where it tells of everything else: a table header whose
  /// name begins with what no name can, and spaces that TOML does not know.
  static func trap(in text: String) -> (line: Int, message: String)? {
    var rest = Array(text.utf8)[...]
    if rest.starts(with: "\u{FEFF}".utf8) { rest.removeFirst(3) }
    var line = 1
    var depth = 0
    var isLineStart = true
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        // Within a list a bracket is no header.
        isLineStart = depth == 0
        continue
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): continue
      case UInt8(ascii: "#"): rest = rest.drop { $0 != UInt8(ascii: "\n") }
      case UInt8(ascii: "\""), UInt8(ascii: "'"): line += skipString(quoted: byte, &rest)
      case UInt8(ascii: "[") where isLineStart:
        skipBlanks(&rest)
        if rest.first == UInt8(ascii: "[") {
          rest.removeFirst()
          skipBlanks(&rest)
        }
        if let first = rest.first, !beginsName(first) {
          return (line, "a table's name belongs after [")
        }
        depth += 1
      case UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
      // A second one that ends a header closes nothing.
      case UInt8(ascii: "]"), UInt8(ascii: "}"): depth = max(0, depth - 1)
      case 0x21...0x7E: break
      default: return (line, "only texts and comments hold other characters than those of ASCII")
      }
      isLineStart = false
    }
    return nil
  }

  private static func skipBlanks(_ rest: inout ArraySlice<UInt8>) {
    rest = rest.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
  }

  /// Also where there is none.
  private static func beginsName(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"),
      UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "]"):
      true
    default: false
    }
  }

  /// - Returns: how many line breaks are in it.
  private static func skipString(quoted quote: UInt8, _ rest: inout ArraySlice<UInt8>) -> Int {
    let isLong = rest.starts(with: [quote, quote])
    if isLong { rest.removeFirst(2) }
    var breaks = 0
    while let byte = rest.first {
      if byte == UInt8(ascii: "\n") {
        // A short one ends with its line, and the parser tells that it has no end.
        guard isLong else { return 0 }
        breaks += 1
      }
      rest.removeFirst()
      if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
        if rest.first != UInt8(ascii: "\n") { _ = rest.popFirst() }
      } else if byte == quote, !isLong || rest.starts(with: [quote, quote]) {
        // Up to two more belong to it.
        if isLong { rest = rest.drop { $0 == quote } }
        return breaks
      }
    }
    return breaks
  }
}
