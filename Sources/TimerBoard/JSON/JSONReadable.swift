/// A value that can be read from JSON.
package protocol JSONReadable {
  init(from reader: inout JSONReader) throws(JSONReader.Invalid)
}

extension JSONReadable {
  /// Reads a document that consists of this value alone.
  package init(json bytes: [UInt8]) throws(JSONReader.Invalid) {
    var reader = JSONReader(bytes)
    try self.init(from: &reader)
    try reader.expectEnd()
  }
}

extension JSONReader {
  package mutating func value<Value: JSONReadable>() throws(Invalid) -> Value {
    try Value(from: &self)
  }

  /// Reads a value, or skips one that is JSON but not valid.
  package mutating func valueIfValid<Value: JSONReadable>() throws(Invalid) -> Value? {
    let start = self
    if let value = try? Value(from: &self) { return value }
    self = start
    try skipValue()
    return nil
  }
}

extension Bool: JSONReadable {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    self = try reader.boolean()
  }
}

extension String: JSONReadable {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    self = try reader.string()
  }
}

extension Double: JSONReadable {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    self = try reader.double()
  }
}

extension JSONReadable where Self: FixedWidthInteger {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    guard let number = Self(exactly: try reader.integer()) else { throw JSONReader.Invalid() }
    self = number
  }
}

extension Int: JSONReadable {}
extension Int32: JSONReadable {}
extension Int64: JSONReadable {}

extension JSONReadable where Self: RawRepresentable<String> {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    guard let value = Self(rawValue: try reader.string()) else { throw JSONReader.Invalid() }
    self = value
  }
}

extension Array: JSONReadable where Element: JSONReadable {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    self = []
    try reader.beginArray()
    while try reader.hasNextElement() { append(try reader.value()) }
  }
}

extension Dictionary: JSONReadable where Key == String, Value: JSONReadable {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    self = [:]
    try reader.beginObject()
    while let name = try reader.nextName() { self[name.text] = try reader.value() }
  }
}
