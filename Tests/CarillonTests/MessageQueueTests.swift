import Dispatch
import Testing

@testable import CarillonRuntime

@MainActor
@Suite(.timeLimit(.minutes(1)))
struct MailboxTests {
  private final class Reader {
    var deliveries: [[Int]] = []
    var letters: [Int] { deliveries.flatMap { $0 } }
  }

  private let reader = Reader()
  private let mailbox: Mailbox<Int>

  init() {
    mailbox = Mailbox { [reader] in reader.deliveries.append($0) }
  }

  @Test func oneTurnTakesAllInTheirOrder() async throws {
    for letter in 0..<1000 { mailbox.post(letter) }
    #expect(reader.deliveries.isEmpty)
    try await until { !reader.deliveries.isEmpty }
    #expect(reader.deliveries == [Array(0..<1000)])
    mailbox.post(1000)
    try await until { reader.deliveries.count > 1 }
    #expect(reader.deliveries.last == [1000])
  }

  @Test func nothingOfManyThreadsIsLost() async throws {
    let threads = 8
    let each = 1000
    DispatchQueue.global().async { [mailbox] in
      DispatchQueue.concurrentPerform(iterations: threads) { thread in
        for letter in 0..<each { mailbox.post(thread * each + letter) }
      }
    }
    try await until { reader.letters.count >= threads * each }
    for thread in 0..<threads {
      let own = reader.letters.filter { $0 / each == thread }
      #expect(own == Array(thread * each..<(thread + 1) * each))
    }
  }
}
