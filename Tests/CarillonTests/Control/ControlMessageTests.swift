import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// The lines between an owner and its clients: any line is read, or rejected.
struct ControlMessageTests {
  /// Reads a line as each kind of message.
  /// - Returns: The kinds that the line is.
  private func kinds(of line: String) -> [String] {
    let bytes = Array(line.utf8)
    var kinds: [String] = []
    if (try? ControlRequest(json: bytes)) != nil { kinds.append("request") }
    if (try? ControlResponse(json: bytes)) != nil { kinds.append("response") }
    if (try? WatchedEvent(bytes)) != nil { kinds.append("event") }
    return kinds
  }

  private func request(_ members: String) -> ControlRequest? {
    try? ControlRequest(json: Array(#"{"version":1,"command":"note"\#(members)}"#.utf8))
  }

  private func response(_ members: String) -> ControlResponse? {
    try? ControlResponse(json: Array(#"{"ok":true\#(members)}"#.utf8))
  }

  /// Foundation's parser ends the process at a depth of exactly 513 arrays.
  @Test func nestingOfAnyDepthIsReadOrRejected() {
    let limit = 16
    for depth in 0...2000 {
      let arrays = String(repeating: "[", count: depth)
      let (closed, objects) = (
        arrays + String(repeating: "]", count: depth), String(repeating: #"{"a":"#, count: depth)
      )
      for line in [
        arrays, closed, objects, objects + "1" + String(repeating: "}", count: depth),
        #"{"version":1,"command":"note","timers":"# + closed,
        #"{"time":"","timer":"","event":"","left":"# + arrays,
      ] {
        #expect(kinds(of: line) == [], "\(depth)")
      }
      let isRead = request(#","a":"# + closed) != nil
      #expect(isRead == (1...limit).contains(depth), "\(depth)")
    }
  }

  @Test func numbersOfAnySizeAreReadOrRejected() throws {
    for number in ["0", "1", "-1", "2147483647", "-2147483648"] {
      let owner = try #require(
        response(#","owner":{"kind":"run","process":\#(number),"since":""}"#)?.owner)
      #expect(owner.process == Int32(number))
    }
    for number in [
      "2147483648", "-2147483649", "4503599627370496", "9007199254740992", "9223372036854775807",
      "-9223372036854775808", "9223372036854775808", "1e400", "1.5", "01", "-", "\"1\"", "true",
    ] {
      let owner = #","owner":{"kind":"run","process":\#(number),"since":""}"#
      #expect(response(owner) == nil, "\(number)")
      #expect(kinds(of: #"{"version":\#(number),"command":1}"#) == [], "\(number)")
    }
    for id in [Int.min, -1, 0, 1, 1 << 52, 1 << 53, Int.max] {
      let line = #"{"time":"-","timer":"a","id":\#(id),"event":"fired","missed":\#(id)}"#
      let event = try WatchedEvent(Array(line.utf8))
      #expect(event.id == id)
      let text = event.text(in: .utc, uses24Hours: true)
      #expect(text == (id > 0 ? "- a fired (\(id) missed)\n" : "- a fired\n"))
    }
  }

  @Test func stringsAndArraysOfAnyLengthAreRead() {
    for length in [0, 1, 2, 63, 64, 65, 255, 256, 257, 4095, 4096, 4097, 65_535, 65_536, 65_537] {
      let text = String(repeating: "x", count: length)
      #expect(request(#","value":"\#(text)""#)?.value == text)
      let names = Array(repeating: "a", count: length)
      #expect(
        request(#","timers":[\#(names.map { "\"\($0)\"" }.joined(separator: ","))]"#)?.timers
          == names)
    }
  }

  @Test func requiredUnknownRepeatedAndMissingMembers() {
    #expect(kinds(of: "{}") == [])
    #expect(kinds(of: #"{"version":1}"#) == [])
    #expect(kinds(of: #"{"command":"note"}"#) == [])
    #expect(kinds(of: #"{"version":null,"command":"note"}"#) == [])
    #expect(kinds(of: #"{"version":1,"command":"note","command":"note"}"#) == [])
    #expect(kinds(of: #"{"command":"note","a":{"b":[1]},"version":1}"#) == ["request"])
    #expect(kinds(of: #"{"ok":true,"text":null}"#) == ["response"])
    #expect(kinds(of: #"{"ok":true} x"#) == [])
    #expect(request(#","selection":"none""#) == nil)
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    var message = ControlRequest("note")
    message.timers = ["tea", "#3", "", "\u{0}\u{1F}\u{7F}\"\\\n\r\t/日本👨‍👩‍👧"]
    (message.selection, message.value) = (.next, "1m")
    #expect(try ControlRequest(json: message.jsonLine) == message)
    #expect(
      String(decoding: ControlRequest("next").jsonLine, as: UTF8.self)
        == #"{"version":1,"command":"next"}"# + "\n")
    let now = ClockReading(wall: SessionSample.wall)
    var response = ControlResponse.success()
    response.owner = SessionOwner(.board, at: now)
    response.session = SessionFile(try TimerSpec.parse(arguments: ["tea=3m"]), at: now.wall)
    let read = try ControlResponse(json: response.jsonLine)
    #expect(read.isOK && read.text == nil)
    #expect(read.owner == response.owner)
    #expect(read.session == response.session)
  }

  /// `--next` takes a timer with time left before a stopwatch and before a paused one that follows the time of day.
  @Test func theNextTimerHasTimeLeft() throws {
    let now = ClockReading(wall: SessionSample.wall)
    func next(_ verb: ControlVerb, of line: String) throws -> String? {
      var board = Board()
      _ = board.perform(.start(try TimerSpec.parse(arguments: [line])), at: now)
      var request = ControlRequest(verb.rawValue)
      (request.selection, request.value) = (.next, "1m")
      let command = try verb.command(for: request, on: board, defaults: .init(), at: now)
      guard case .control(_, let ids) = command else { return nil }
      return ids.first.flatMap { board.timers[$0]?.label }
    }
    for other in ["sw=stopwatch paused", "d=daily 9:00 paused"] {
      #expect(try next(.toggle, of: "\(other) tea=10m egg=20m paused") == "tea")
      #expect(try next(.toggle, of: "\(other) tea=10m paused") == "tea")
      #expect(try next(.more, of: "\(other) tea=10m paused egg=5m paused") == "egg")
      #expect(try next(.resume, of: "\(other) tea=10m paused") == "tea")
      #expect(try next(.resume, of: other) != nil)
    }
  }
}
