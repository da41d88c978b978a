import Fuzzing
import Testing

@testable import TimerBoard

struct JSONReaderTests {
  private func read<Value: JSONValue>(_ text: String) -> Value? {
    try? Value(json: Array(text.utf8))
  }

  private func isSkipped(_ text: String) -> Bool {
    var reader = JSONReader(Array(text.utf8))
    return (try? reader.skipValue()) != nil && (try? reader.expectEnd()) != nil
  }

  @Test func theNamesOfAnObjectAreReadInOrder() throws {
    var reader = JSONReader(
      Array(#" { "a" : 1 , "no":null,"b":[ ],"c":{"a":2} ,"d" : "x" } "#.utf8))
    var names: [String] = []
    try reader.beginObject()
    while let name = try reader.nextName() {
      names.append(name.text)
      try reader.skipValue()
    }
    try reader.expectEnd()
    #expect(names == ["a", "b", "c", "d"])
  }

  @Test(
    arguments: [
      ("[]", []), (" [ 1 ] ", [1]), ("[0,-0,-7,\n12]", [0, 0, -7, 12]),
      ("[9223372036854775807,-9223372036854775808]", [.max, .min]),
    ] as [(String, [Int64])])
  func anArrayIsRead(text: String, values: [Int64]) {
    #expect(read(text) == values)
  }

  @Test(arguments: [
    "", "[", "[1", "[1,", "[1,]", "[,1]", "[1 2]", "[1],", "[1]]", "[01]", "[-]", "[+1]", "[.5]",
    "[1.0]", "[1e2]", "[9223372036854775808]", "[-9223372036854775809]", "[true]", "[null]",
    #"["1"]"#, "{}", "[[1]]",
  ])
  func anotherArrayIsInvalid(text: String) {
    #expect(read(text) == nil as [Int64]?)
  }

  @Test(arguments: [
    ("0", 0), ("-0.0", -0.0), ("3580.630995063", 3580.630995063), ("0.1", 0.1), ("1e3", 1000),
    ("1E-3", 0.001), ("-2.5e+2", -250), ("1795435320.6920798", 1_795_435_320.692_079_8),
    ("1e300", 1e300), ("2.2250738585072014e-308", .leastNormalMagnitude),
    ("123456789012345678901234567890", 1.2345678901234568e29),
  ])
  func aNumberIsRead(text: String, value: Double) {
    let number: Double? = read(text)
    #expect(number == value && number?.sign == value.sign)
  }

  @Test(arguments: ["", "-", ".5", "1.", "1e", "1e+", "00.5", "1e999", "nan", "inf", "0x1", "1_0"])
  func anotherNumberIsInvalid(text: String) {
    #expect(read(text) == nil as Double?)
    #expect(!isSkipped(text))
  }

  /// The nearest value is read, as the standard library does it.
  @Test func numbersAreRounded() {
    var random = SplitMix(state: 3)
    for _ in 0..<20_000 {
      let digits = String(UInt64.random(in: 0...(.max), using: &random)).prefix(
        Int.random(in: 1...18, using: &random))
      let text = "\(digits.first ?? "0").\(digits.dropFirst())0"
      #expect(read(text) == Double(text), "\(text)")
    }
  }

  @Test(arguments: [
    (#""""#, ""), (#""tea""#, "tea"), (#""té 日本""#, "té 日本"),
    (#""\"\\\/\n\t\r\b\f""#, "\"\\/\n\t\r\u{8}\u{C}"),
    (#""t\u00e9\u00E9x""#, "tééx"), (#""a\ud83d\ude00b""#, "a😀b"),
  ])
  func aStringIsRead(text: String, value: String) {
    #expect(read(text) == value)
  }

  @Test(arguments: [
    "", "\"", "\"a", #""\"#, #""\""#, #""\x""#, #""\u00""#, #""\u00g0""#, #""\ud83d""#,
    #""\ude00""#, #""a"b"#, "\"a\nb\"", "'a'",
  ])
  func anotherStringIsInvalid(text: String) {
    #expect(read(text) == nil as String?)
  }

  @Test func invalidTextIsNoString() {
    var reader = JSONReader([0x22, 0xFF, 0x22])
    #expect(throws: JSONReader.Invalid.self) { try reader.string() }
  }

  @Test(arguments: [
    ("true", true), (" false ", false), ("tru", nil), ("truefalse", nil), ("null", nil), ("1", nil),
  ])
  func aBooleanIsRead(text: String, value: Bool?) {
    #expect(read(text) == value)
  }

  @Test(arguments: [
    "null", "true", "1.5e3", #""a\"b""#, "[]", "{}", #"{"a":[1,{"b":null}],"c":{}}"#,
    String(repeating: "[", count: 16) + String(repeating: "]", count: 16),
  ])
  func aValueIsSkipped(text: String) {
    #expect(isSkipped(text))
    for count in 0..<(text.utf8.count - 1) where text != "1.5e3" {
      #expect(!isSkipped(String(text.prefix(count))), "\(text.prefix(count))")
    }
  }

  @Test(arguments: [
    "", "nul", "{", #"{"a"}"#, #"{"a":}"#, #"{"a":1,}"#, #"{,"a":1}"#, #"{"a":1 "b":2}"#,
    #"{"a":1}}"#, #"{a:1}"#, "{1:1}", "[1,]", "[}", "{]", "x", #"{"a":nul}"#,
    String(repeating: "[", count: 17) + String(repeating: "]", count: 17),
    String(repeating: "[", count: 100_000),
  ])
  func anotherValueIsNotSkipped(text: String) {
    #expect(!isSkipped(text))
  }

  /// A value of another type is skipped, and what follows it is read.
  @Test func anInvalidValueCanBeSkipped() throws {
    var reader = JSONReader(Array(#"[{"a":["x"],"b":1},[1,2],"c"]"#.utf8))
    try reader.beginArray()
    var values: [[Int]?] = []
    while try reader.hasNextElement() { values.append(try reader.valueIfValid()) }
    #expect(values == [nil, [1, 2], nil])
  }
}
