/// Strings, numbers and Boolean values.
extension JSONReader {
  mutating func boolean() throws(Invalid) -> Bool {
    skipBlanks()
    let isTrue = position < end && bytes[position] == UInt8(ascii: "t")
    try expect(isTrue ? "true" : "false")
    return isTrue
  }

  /// Returns the bytes of a string as they are written, with its escapes.
  mutating func rawString() throws(Invalid) -> ArraySlice<UInt8> {
    try expect(UInt8(ascii: "\""))
    let start = position
    while true {
      switch try next() {
      case UInt8(ascii: "\""):
        isAfterValue = true
        return bytes[start..<(position - 1)]
      case UInt8(ascii: "\\"): _ = try next()
      case 0..<0x20: throw Invalid()
      default: break
      }
    }
  }

  mutating func string() throws(Invalid) -> String {
    let contents = try rawString()
    let text =
      contents.contains(UInt8(ascii: "\\"))
      ? try Self.unescaped(contents) : String(validating: contents, as: UTF8.self)
    guard let text else { throw Invalid() }
    return text
  }

  /// - Returns: `nil` if the text is not valid Unicode.
  private static func unescaped(_ contents: ArraySlice<UInt8>) throws(Invalid) -> String? {
    var units: [UInt16] = []
    var index = contents.startIndex
    while let escape = contents[index...].firstIndex(of: UInt8(ascii: "\\")) {
      guard let before = String(validating: contents[index..<escape], as: UTF8.self) else {
        return nil
      }
      units += before.utf16
      let code = contents[escape + 1]
      index = escape + 2
      switch code {
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(UInt16(code))
      case UInt8(ascii: "u"):
        let digits = contents[index...].prefix(4)
        guard digits.count == 4, let unit = hexadecimal(digits) else { throw Invalid() }
        units.append(UInt16(unit))
        index += 4
      default: throw Invalid()
      }
    }
    guard let rest = String(validating: contents[index...], as: UTF8.self) else { return nil }
    return String(validating: units + rest.utf16, as: UTF16.self)
  }

  /// Returns the number that at most 16 hexadecimal digits stand for.
  static func hexadecimal(_ digits: ArraySlice<UInt8>) -> UInt64? {
    // The standard library would accept a sign.
    guard digits.count <= 16, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }) else {
      return nil
    }
    return UInt64(String(decoding: digits, as: UTF8.self), radix: 16)
  }

  /// Returns the text of a number in the form of JSON, which is stricter than that of the standard library.
  mutating func number() throws(Invalid) -> String {
    skipBlanks()
    let start = position
    _ = skip("-")
    try skipDigits(leadingZeros: false)
    if skip(".") { try skipDigits(leadingZeros: true) }
    if skip("e") || skip("E") {
      _ = skip("+") || skip("-")
      try skipDigits(leadingZeros: true)
    }
    isAfterValue = true
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard position < end, bytes[position] == UInt8(ascii: character) else { return false }
    position += 1
    return true
  }

  private mutating func skipDigits(leadingZeros: Bool) throws(Invalid) {
    let start = position
    while position < end, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    guard position > start,
      leadingZeros || position == start + 1 || bytes[start] != UInt8(ascii: "0")
    else { throw Invalid() }
  }
}
