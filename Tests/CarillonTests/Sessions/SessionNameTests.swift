import Testing

@testable import CarillonRuntime

struct SessionNameTests {
  /// A board offers a new session beside an open one, whatever the length of its name.
  @Test func aNumberedNameIsValid() throws {
    #expect(SessionName.main.numbered(2).description == "main-2")
    for length in 1...32 {
      let name = try SessionName(String(repeating: "a", count: length))
      for number in [2, 10, 100] {
        let numbered = name.numbered(number)
        #expect(try SessionName(numbered.description) == numbered)
        #expect(numbered != name && numbered.description.hasSuffix("-\(number)"))
      }
    }
    let longest = try SessionName(String(repeating: "a", count: 32))
    #expect(longest.numbered(12).description == String(repeating: "a", count: 29) + "-12")
  }
}
