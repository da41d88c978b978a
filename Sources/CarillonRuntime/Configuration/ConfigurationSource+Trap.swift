extension ConfigurationSource {
  /// Levels of names with dots, and of brackets within one another.
  private static let mostLevels = 32

  /// What TOMLKit's parser ends the process at, where it tells of everything else: a table header whose
  /// name begins with what no name can, spaces that TOML does not know, the end of a table where a
  /// list is to have a value, and levels without end.
  static func trap(in text: String) -> (line: Int, message: String)? {
    var rest = Array(text.utf8)[...]
    if rest.starts(with: "\u{FEFF}".utf8) { rest.removeFirst(3) }
    var line = 1
    // The brackets that are open, and the newest byte that is no blank.
    var open: [UInt8] = []
    var last: UInt8 = 0
    var isLineStart = true
    var dots = 0
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "."): dots += 1
      case UInt8(ascii: "\n"), UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "["),
        UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"):
        dots = 0
      default: break
      }
      if dots >= mostLevels || open.count > mostLevels {
        return (line, "nested too deeply (expected at most \(mostLevels) levels)")
      }
      switch byte {
      case UInt8(ascii: "\n"):
        line += 1
        // Within a list a bracket is no header.
        isLineStart = open.isEmpty
        continue
      case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): continue
      case UInt8(ascii: "#"):
        rest = rest.drop { $0 != UInt8(ascii: "\n") }
        continue
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
        open.append(byte)
      case UInt8(ascii: "["), UInt8(ascii: "{"): open.append(byte)
      case UInt8(ascii: "}")
      where open.last == UInt8(ascii: "[")
        && (last == UInt8(ascii: "[") || last == UInt8(ascii: ",")):
        return (line, "a value belongs here, or the end of the list, not }")
      // A second one that ends a header closes nothing.
      case UInt8(ascii: "]"), UInt8(ascii: "}"): _ = open.popLast()
      case 0x21...0x7E: break
      default: return (line, "only texts and comments hold other characters than those of ASCII")
      }
      last = byte
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
