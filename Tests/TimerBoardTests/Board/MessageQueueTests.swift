import Dispatch
import Synchronization
import Testing

@testable import TimerBoard

@Suite struct MessageQueueTests {
  @Test func theReaderIsWokenOnceForMessagesThatItTakesTogether() {
    let wakes = Mutex(0)
    let queue = MessageQueue<Int> { wakes.withLock { $0 += 1 } }
    for message in 0..<1000 { queue.post(message) }
    #expect(wakes.withLock { $0 } == 1 && !queue.isEmpty)
    #expect(queue.takeAll() == Array(0..<1000) && queue.isEmpty)
    queue.post(1000)
    #expect(wakes.withLock { $0 } == 2)
    #expect(queue.takeAll() == [1000])
  }

  @Test func messagesOfManyThreadsAreReceivedInTheOrderOfEach() {
    let threads = 8
    let each = 1000
    let queue = MessageQueue<Int> {}
    DispatchQueue.concurrentPerform(iterations: threads) { thread in
      for message in 0..<each { queue.post(thread * each + message) }
    }
    let messages = queue.takeAll()
    for thread in 0..<threads {
      #expect(messages.filter { $0 / each == thread } == Array(thread * each..<(thread + 1) * each))
    }
  }
}
