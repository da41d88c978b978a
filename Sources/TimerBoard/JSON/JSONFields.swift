/// A value that is a JSON object, with one list of its members from which it is read and written.
///
/// ```swift
/// try field("command", &command)
/// try field("timers", &timers)
/// ```
///
/// A member whose property is optional, or that has a default, can be missing or `null`, every other one is required.
/// One that is `nil` or has its default is not written. An unknown member is skipped, and a repeated one is invalid.
package protocol JSONFields: JSONValue {
  /// Creates a value whose members are to be read.
  init()

  /// Visits at most 64 members, in the order in which they are written.
  mutating func fields<F: JSONMembers>(_ field: inout F) throws(F.Failure)
}

/// A visitor of the members of an object, which reads or writes them.
package protocol JSONMembers {
  associatedtype Failure: Error

  mutating func callAsFunction(_ name: StaticString, _ value: inout some JSONValue) throws(Failure)
  mutating func callAsFunction(
    _ name: StaticString, _ value: inout (some JSONValue)?) throws(Failure)
  mutating func callAsFunction<Value: JSONValue & Equatable>(
    _ name: StaticString, _ value: inout Value, default: Value) throws(Failure)
  /// Visits a member whose invalid value is `nil`, because the others matter more.
  mutating func callAsFunction(
    _ name: StaticString, ifValid value: inout (some JSONValue)?) throws(Failure)
}

extension JSONFields {
  package init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    self.init()
    var members = MemberReader(reader: reader)
    try members.reader.beginObject()
    members.name = try members.reader.nextName()
    // One pass reads all members that are in the order of the list.
    while members.name != nil {
      (members.index, members.hasRead) = (0, false)
      try fields(&members)
      if !members.hasRead { try members.skip() }
    }
    (members.index, members.isAtEnd) = (0, true)
    try fields(&members)
    reader = members.reader
  }

  package func write(to writer: inout JSONWriter) {
    var (copy, members) = (self, MemberWriter(writer: writer))
    members.writer.add("{")
    copy.fields(&members)
    members.writer.add("}")
    writer = members.writer
  }
}

private struct MemberReader: JSONMembers {
  var reader: JSONReader
  /// The member that is read next; `nil` at the end of the object.
  var name: JSONReader.Name?
  /// The index of the visited member in the list.
  var index: UInt64 = 0
  /// A bit for each member of the list that was read.
  var known: UInt64 = 0
  /// A Boolean value that indicates whether the visit has read a member.
  var hasRead = false
  /// A Boolean value that indicates whether the visit checks that each required member was read.
  var isAtEnd = false

  mutating func skip() throws(JSONReader.Invalid) {
    try reader.skipValue()
    name = try reader.nextName()
  }

  mutating func callAsFunction<Value: JSONValue>(
    _ name: StaticString, _ value: inout Value
  ) throws(JSONReader.Invalid) {
    if let new: Value = try read(name) { value = new }
    guard !isAtEnd || known & (1 << (index - 1)) != 0 else { throw JSONReader.Invalid() }
  }

  mutating func callAsFunction<Value: JSONValue>(
    _ name: StaticString, _ value: inout Value?
  ) throws(JSONReader.Invalid) {
    if let new: Value = try read(name) { value = new }
  }

  mutating func callAsFunction<Value: JSONValue & Equatable>(
    _ name: StaticString, _ value: inout Value, default: Value
  ) throws(JSONReader.Invalid) {
    if let new: Value = try read(name) { value = new }
  }

  mutating func callAsFunction(
    _ name: StaticString, ifValid value: inout (some JSONValue)?
  ) throws(JSONReader.Invalid) {
    guard try begin(name) else { return }
    value = try reader.valueIfValid()
    self.name = try reader.nextName()
  }

  /// Reads the next member if it has the name.
  private mutating func read<Value: JSONValue>(
    _ name: StaticString
  ) throws(JSONReader.Invalid) -> Value? {
    guard try begin(name) else { return nil }
    let value: Value = try reader.value()
    self.name = try reader.nextName()
    return value
  }

  /// Returns true if the next member has the name.
  private mutating func begin(_ name: StaticString) throws(JSONReader.Invalid) -> Bool {
    index += 1
    guard let next = self.name, name ~= next else { return false }
    let bit: UInt64 = 1 << (index - 1)
    guard known & bit == 0 else { throw JSONReader.Invalid() }
    known |= bit
    hasRead = true
    return true
  }
}

private struct MemberWriter: JSONMembers {
  var writer: JSONWriter
  var isFirst = true

  mutating func callAsFunction(_ name: StaticString, _ value: inout some JSONValue) {
    writer.add(isFirst ? "\"" : ",\"")
    writer.add(name)
    writer.add("\":")
    value.write(to: &writer)
    isFirst = false
  }

  mutating func callAsFunction(_ name: StaticString, _ value: inout (some JSONValue)?) {
    if var present = value { self(name, &present) }
  }

  mutating func callAsFunction<Value: JSONValue & Equatable>(
    _ name: StaticString, _ value: inout Value, default: Value
  ) {
    if value != `default` { self(name, &value) }
  }

  mutating func callAsFunction(_ name: StaticString, ifValid value: inout (some JSONValue)?) {
    self(name, &value)
  }
}
