/// Parsing of JSON values.
extension HistoryLineParser {
  mutating func next() throws(Invalid) -> UInt8 {
    guard position < end else { throw Invalid() }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func skipBlanks() {
    while position < end, bytes[position] == 0x20 || bytes[position] == 0x09 {
      position += 1
    }
  }

  mutating func expect(_ byte: UInt8) throws(Invalid) {
    skipBlanks()
    guard try next() == byte else { throw Invalid() }
  }

  func isEqual(_ range: Range<Int>, _ text: StaticString) -> Bool {
    guard range.count == text.utf8CodeUnitCount else { return false }
    return text.withUTF8Buffer { text in
      for (index, byte) in text.enumerated() where bytes[range.lowerBound + index] != byte {
        return false
      }
      return true
    }
  }

  /// Returns the position of the contents of a string. A name with an escape matches no member.
  mutating func key() throws(Invalid) -> Range<Int> {
    try expect(UInt8(ascii: "\""))
    let start = position
    while true {
      switch try next() {
      case UInt8(ascii: "\""): return start..<(position - 1)
      case UInt8(ascii: "\\"): _ = try next()
      default: break
      }
    }
  }

  mutating func string() throws(Invalid) -> String {
    let contents = bytes[try key()]
    guard contents.contains(UInt8(ascii: "\\")) else {
      return String(decoding: contents, as: UTF8.self)
    }
    return try Self.unescaped(contents)
  }

  private static func unescaped(_ contents: ArraySlice<UInt8>) throws(Invalid) -> String {
    var units: [UInt16] = []
    var text = ""
    var index = contents.startIndex
    var begin = index
    func flush(_ end: Int) {
      text += String(decoding: units, as: UTF16.self)
      units = []
      text += String(decoding: contents[begin..<max(begin, end)], as: UTF8.self)
    }
    while index < contents.endIndex {
      guard contents[index] == UInt8(ascii: "\\") else {
        index += 1
        continue
      }
      if begin < index { flush(index) }
      guard index + 1 < contents.endIndex else { throw Invalid() }
      let escape = contents[index + 1]
      index += 2
      switch escape {
      case UInt8(ascii: "n"): units.append(0x0A)
      case UInt8(ascii: "t"): units.append(0x09)
      case UInt8(ascii: "r"): units.append(0x0D)
      case UInt8(ascii: "b"): units.append(0x08)
      case UInt8(ascii: "f"): units.append(0x0C)
      case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): units.append(UInt16(escape))
      case UInt8(ascii: "u"):
        guard index + 4 <= contents.endIndex,
          let unit = UInt16(
            String(decoding: contents[index..<(index + 4)], as: UTF8.self), radix: 16)
        else { throw Invalid() }
        units.append(unit)
        index += 4
      default: throw Invalid()
      }
      begin = index
    }
    flush(index)
    return text
  }

  mutating func identifier() throws(Invalid) -> UInt64 {
    let digits = try key()
    guard (1...16).contains(digits.count) else { throw Invalid() }
    var number: UInt64 = 0
    for index in digits {
      let digit = bytes[index]
      let value: UInt8
      switch digit {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
      default: throw Invalid()
      }
      number = number << 4 | UInt64(value)
    }
    return number
  }

  mutating func instant() throws(Invalid) -> Int64 {
    guard let instant = CivilDate.milliseconds(iso8601: bytes[try key()]) else { throw Invalid() }
    return instant
  }

  mutating func integer() throws(Invalid) -> Int64 {
    skipBlanks()
    var isNegative = false
    if position < end, bytes[position] == UInt8(ascii: "-") {
      isNegative = true
      position += 1
    }
    let start = position
    var number: Int64 = 0
    while position < end, case let digit = bytes[position] &- UInt8(ascii: "0"),
      digit < 10
    {
      guard position - start < 18 else { throw Invalid() }
      number = number * 10 + Int64(digit)
      position += 1
    }
    guard position > start else { throw Invalid() }
    return isNegative ? -number : number
  }

  mutating func count() throws(Invalid) -> Int { Int(try integer()).boundedCount }

  mutating func pauses() throws(Invalid) -> [StretchRecord.Pause] {
    var pauses: [StretchRecord.Pause] = []
    try expect(UInt8(ascii: "["))
    skipBlanks()
    if position < end, bytes[position] == UInt8(ascii: "]") {
      position += 1
      return []
    }
    while true {
      try expect(UInt8(ascii: "["))
      let start = try integer().bounded
      try expect(UInt8(ascii: ","))
      let length = try integer().bounded
      try expect(UInt8(ascii: "]"))
      pauses.append(StretchRecord.Pause(start: start, length: length))
      skipBlanks()
      let separator = try next()
      if separator == UInt8(ascii: "]") { return pauses }
      guard separator == UInt8(ascii: ",") else { throw Invalid() }
    }
  }

  mutating func skipValue(depth: Int) throws(Invalid) {
    guard depth < Self.depthLimit else { throw Invalid() }
    skipBlanks()
    guard position < end else { throw Invalid() }
    switch bytes[position] {
    case UInt8(ascii: "\""): _ = try key()
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isObject = bytes[position] == UInt8(ascii: "{")
      let close = isObject ? UInt8(ascii: "}") : UInt8(ascii: "]")
      position += 1
      skipBlanks()
      if position < end, bytes[position] == close {
        position += 1
        return
      }
      while true {
        if isObject {
          _ = try key()
          try expect(UInt8(ascii: ":"))
        }
        try skipValue(depth: depth + 1)
        skipBlanks()
        let separator = try next()
        if separator == close { return }
        guard separator == UInt8(ascii: ",") else { throw Invalid() }
      }
    default:
      let start = position
      // A number, true, false or null.
      while position < end, Self.isPlain(bytes[position]) { position += 1 }
      guard position > start else { throw Invalid() }
    }
  }

  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
      UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }
}
