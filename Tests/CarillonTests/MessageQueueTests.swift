import Dispatch
import Testing

@testable import CarillonRuntime

@MainActor
@Suite(.timeLimit(.minutes(20)))
struct MessageQueueTests {
  private final class Reader {
    var deliveries: [[Int]] = []
    var messages: [Int] { deliveries.flatMap { $0 } }
  }

  private let reader = Reader()
  private let queue: MessageQueue<Int>

  init() {
    queue = MessageQueue { [reader] in reader.deliveries.append($0) }
  }

  @Test func messagesAreReceivedTogetherInOrder() async throws {
    for message in 0..<1000 { queue.post(message) }
    #expect(reader.deliveries.isEmpty)
    try await until { !reader.deliveries.isEmpty }
    #expect(reader.deliveries == [Array(0..<1000)])
    queue.post(1000)
    try await until { reader.deliveries.count > 1 }
    #expect(reader.deliveries.last == [1000])
  }

  @Test func messagesOfManyThreadsAreReceived() async throws {
    let threads = 8
    let each = 1000
    DispatchQueue.global().async { [queue] in
      DispatchQueue.concurrentPerform(iterations: threads) { thread in
        for message in 0..<each { queue.post(thread * each + message) }
      }
    }
    try await until { reader.messages.count >= threads * each }
    for thread in 0..<threads {
      let own = reader.messages.filter { $0 / each == thread }
      #expect(own == Array(thread * each..<(thread + 1) * each))
    }
  }
}
