/// A reader of JSON that goes through the bytes once and creates no intermediate values.
///
/// It is for the documents that can be large: a session of a hundred thousand timers is read before the first frame,
/// and a year of history has tens of thousands of lines. The caller reads the values in the order in which they are
/// written:
///
/// ```swift
/// try reader.beginObject()
/// while let name = try reader.nextName() {
///   switch name {
///   case "id": id = try reader.value()
///   default: try reader.skipValue()
///   }
/// }
/// ```
package struct JSONReader {
  /// The text is not JSON, or a value does not have the type that was read.
  package struct Invalid: Error {}

  /// The maximum depth of arrays and objects in a value that is skipped.
  private static let depthLimit = 16

  let bytes: [UInt8]
  let end: Int
  var position: Int
  /// A Boolean value that indicates whether a value of the current array or object was read, so that a comma or the end
  /// is next.
  var isAfterValue = false

  /// - Parameter range: The position of the JSON text in the bytes; `nil` for all of them.
  package init(_ bytes: [UInt8], in range: Range<Int>? = nil) {
    let range = range ?? bytes.indices
    self.bytes = bytes
    position = range.lowerBound
    end = range.upperBound
  }

  /// Throws an error unless only blanks follow.
  package mutating func expectEnd() throws(Invalid) {
    skipBlanks()
    guard position == end else { throw Invalid() }
  }

  /// The name of a member. A name that is written with an escape is equal to no other.
  package struct Name {
    let contents: ArraySlice<UInt8>

    package static func ~= (text: StaticString, name: Name) -> Bool {
      guard name.contents.count == text.utf8CodeUnitCount else { return false }
      return text.withUTF8Buffer { name.contents.elementsEqual($0) }
    }

    package var text: String { String(decoding: contents, as: UTF8.self) }
  }

  package mutating func beginObject() throws(Invalid) { try begin(UInt8(ascii: "{")) }

  /// Returns the name of the next member, or `nil` at the end of the object. A member that is `null` is skipped, as if
  /// it were not there.
  package mutating func nextName() throws(Invalid) -> Name? {
    while try hasNext(before: UInt8(ascii: "}")) {
      let name = Name(contents: try rawString())
      try expect(UInt8(ascii: ":"))
      isAfterValue = false
      skipBlanks()
      guard position < end, bytes[position] == UInt8(ascii: "n") else { return name }
      try expect("null")
    }
    return nil
  }

  package mutating func beginArray() throws(Invalid) { try begin(UInt8(ascii: "[")) }

  private mutating func begin(_ opening: UInt8) throws(Invalid) {
    try expect(opening)
    isAfterValue = false
  }

  /// Returns true before an element, and false at the end of the array.
  package mutating func hasNextElement() throws(Invalid) -> Bool {
    try hasNext(before: UInt8(ascii: "]"))
  }

  private mutating func hasNext(before closing: UInt8) throws(Invalid) -> Bool {
    skipBlanks()
    let wasAfterValue = isAfterValue
    if position < end, bytes[position] == closing {
      position += 1
      isAfterValue = true
      return false
    }
    if wasAfterValue { try expect(UInt8(ascii: ",")) }
    return true
  }

  /// - Parameter depth: The number of arrays and objects around the value that are skipped too.
  package mutating func skipValue(depth: Int = 0) throws(Invalid) {
    guard depth < Self.depthLimit else { throw Invalid() }
    skipBlanks()
    guard position < end else { throw Invalid() }
    switch bytes[position] {
    case UInt8(ascii: "\""): _ = try rawString()
    case UInt8(ascii: "{"):
      try beginObject()
      while try nextName() != nil { try skipValue(depth: depth + 1) }
    case UInt8(ascii: "["):
      try beginArray()
      while try hasNextElement() { try skipValue(depth: depth + 1) }
    case UInt8(ascii: "t"), UInt8(ascii: "f"): _ = try boolean()
    case UInt8(ascii: "n"): try expect("null")
    default: _ = try Double(from: &self)
    }
  }

  mutating func skipBlanks() {
    while position < end {
      switch bytes[position] {
      case 0x20, 0x0A, 0x0D, 0x09: position += 1
      default: return
      }
    }
  }

  mutating func next() throws(Invalid) -> UInt8 {
    guard position < end else { throw Invalid() }
    defer { position += 1 }
    return bytes[position]
  }

  mutating func expect(_ byte: UInt8) throws(Invalid) {
    skipBlanks()
    guard try next() == byte else { throw Invalid() }
  }

  /// Reads a value that is a word: `null`, `true` or `false`.
  mutating func expect(_ word: StaticString) throws(Invalid) {
    let last = position + word.utf8CodeUnitCount
    guard last <= end, word ~= Name(contents: bytes[position..<last]) else { throw Invalid() }
    position = last
    isAfterValue = true
  }
}
