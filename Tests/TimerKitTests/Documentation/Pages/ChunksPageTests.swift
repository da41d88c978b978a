// Page: Kinds/Chunks.md

import Testing

@testable import TimerKit

@Suite(.virtualTime) struct ChunksPageTests {
  let system = VirtualSystem.current
  let log = Recorder<String>()

  /// Feeds the elements of a marble string to a loop, and ends the sequence.
  private func feed(
    _ input: AsyncStream<String>.Continuation, _ marbles: Substring,
    to loop: @escaping @Sendable () async throws -> Void
  ) async throws {
    try await system.advance(by: .minutes(1)) { [clock = system.clock] in
      async let reading: Void = loop()
      for marble in marbles {
        if marble != "-", marble != "|" { input.yield(String(marble)) }
        if marble == "|" { input.finish() }
        try await clock.sleep(for: .seconds(1))
      }
      try await reading
    }
  }

  /// The diagram of the page.
  @Test func theDiagram() async throws {
    let page = try DocumentationPage("Kinds/Chunks.md").text
    let lines = try #require(page.firstMatch(of: /base +(\S+)\nchunked +(\S+)\n/))
    let (base, input) = AsyncStream.makeStream(of: String.self)
    try await feed(input, lines.1) { [log, system] in
      let chunks = try base.chunked(count: 3, maxWait: .seconds(6), quietTime: .seconds(4))
      for await chunk in chunks { log.append("\(chunk.count) at \(Int(system.now))") }
    }
    let expected = lines.2.enumerated().compactMap { offset, marble in
      marble.isNumber ? "\(marble) at \(offset)" : nil
    }
    // The last one and the end share a character of the diagram.
    #expect(log.all.dropLast() == expected.dropLast())
    #expect(log.all.last?.prefix(1) == expected.last?.prefix(1))
  }

  // Section: Rows for a database
  @Test func rowsForADatabase() async throws {
    let (rows, input) = AsyncStream.makeStream(of: String.self)
    let insert: @Sendable ([String]) -> Void = { [log] in log.append($0.joined()) }
    try await feed(input, "abc--d|") {
      for await batch in try rows.chunked(count: 500, maxWait: .seconds(1)) { insert(batch) }
    }
    #expect(log.all.joined() == "abcd")
    #expect((2...4).contains(log.count))
  }

  // Section: Bursts
  @Test func bursts() async throws {
    let (changes, input) = AsyncStream.makeStream(of: String.self)
    let rebuild: @Sendable ([String]) -> Void = { [log] in log.append($0.joined()) }
    try await feed(input, "a-bc|") {
      for await files in try changes.chunked(count: 1_000, quietTime: .milliseconds(200)) {
        rebuild(files)
      }
    }
    #expect(log.all == ["a", "b", "c"])
  }
}
