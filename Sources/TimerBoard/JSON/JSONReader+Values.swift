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
    guard (1...16).contains(digits.count) else { return nil }
    var number: UInt64 = 0
    for digit in digits {
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): value = digit - UInt8(ascii: "A") + 10
      default: return nil
      }
      number = number << 4 | UInt64(value)
    }
    return number
  }

  /// Returns a number without decimals.
  mutating func integer() throws(Invalid) -> Int64 {
    let isNegative = try skipSign()
    let digits = try digits()
    var number: Int64 = 0
    // Negative numbers have one more value.
    for index in digits {
      let digit = Int64(bytes[index] - UInt8(ascii: "0"))
      let (tens, overflowsInTens) = number.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tens.subtractingReportingOverflow(digit)
      guard !overflowsInTens, !overflows else { throw Invalid() }
      number = sum
    }
    guard isNegative || number > .min else { throw Invalid() }
    if position < end {
      switch bytes[position] {
      case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"): throw Invalid()
      default: break
      }
    }
    isAfterValue = true
    return isNegative ? number : -number
  }

  mutating func double() throws(Invalid) -> Double {
    skipBlanks()
    let start = position
    let isNegative = try skipSign()
    var (mantissa, digitCount) = (UInt64(0), 0)
    func add(_ digits: Range<Int>) {
      for index in digits {
        mantissa = mantissa &* 10 &+ UInt64(bytes[index] - UInt8(ascii: "0"))
      }
      digitCount += digits.count
    }
    add(try digits())
    var decimals = 0
    if position < end, bytes[position] == UInt8(ascii: ".") {
      position += 1
      let digits = try digits(leadingZeros: true)
      decimals = digits.count
      add(digits)
    }
    isAfterValue = true
    let hasExponent = try skipExponent()
    // A quotient of two integers that are exact as `Double` is rounded correctly.
    if !hasExponent, digitCount <= 15 {
      var power = 1.0
      for _ in 0..<decimals { power *= 10 }
      let magnitude = Double(mantissa) / power
      return isNegative ? -magnitude : magnitude
    }
    guard let number = Double(String(decoding: bytes[start..<position], as: UTF8.self)),
      number.isFinite
    else { throw Invalid() }
    return number
  }

  private mutating func skipSign() throws(Invalid) -> Bool {
    skipBlanks()
    guard position < end, bytes[position] == UInt8(ascii: "-") else { return false }
    position += 1
    return true
  }

  /// - Returns: False if the number has no exponent.
  private mutating func skipExponent() throws(Invalid) -> Bool {
    guard position < end, bytes[position] | 0x20 == UInt8(ascii: "e") else { return false }
    position += 1
    if position < end, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
    {
      position += 1
    }
    _ = try digits(leadingZeros: true)
    return true
  }

  /// Returns the position of at least one digit.
  private mutating func digits(leadingZeros: Bool = false) throws(Invalid) -> Range<Int> {
    let start = position
    while position < end, bytes[position] &- UInt8(ascii: "0") < 10 { position += 1 }
    guard position > start,
      leadingZeros || position == start + 1 || bytes[start] != UInt8(ascii: "0")
    else { throw Invalid() }
    return start..<position
  }
}
