// A server with 2,500 clients, or as many as its argument says, which have four timers each, and no network. Run it, and see
// its timers with `carillon attach InspectedServer` in another terminal.
import Dispatch
import TimerKit
import TimerKitInspector

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

/// Prints a line at once, also into a file or a pipe.
func printLine(_ text: String) {
  print(text)
  fflush(nil)
}

/// The timers of a client.
final class Client: Sendable {
  /// Expires when the client has sent nothing for a while.
  private let session: TimeLimited<Int>
  private let heartbeat: Repeater
  /// Saves the client's data some time after the last change.
  private let save: Debouncer<Int>
  private let requests: RateLimiter

  init(_ number: Int, on queue: DispatchQueue) throws {
    session = try TimeLimited(number, for: .seconds(20 + number % 40), queue: queue) {
      session, number in
      // Another client takes its place.
      session.replace(with: number)
    }
    heartbeat = try Repeater(
      interval: .milliseconds(800 + number % 400), tolerance: .milliseconds(50), queue: queue
    ) { _, _ in }
    save = try Debouncer(delay: .seconds(1), maxWait: .seconds(10), queue: queue) { _, _ in }
    requests = try RateLimiter(limit: 10, per: .seconds(1), burst: 3)

    // Shown in the list, with the place of these calls.
    TimerInspector.label("session \(number)", session)
    TimerInspector.label("heartbeat \(number)", heartbeat)
    TimerInspector.label("save \(number)", save)
    TimerInspector.label("requests \(number)", requests)
    heartbeat.start()
  }

  /// Handles a request, if the client has not sent too many.
  func receive(_ request: Int) {
    guard requests.tryAcquire() == .acquired else { return }
    _ = try? session.renew()
    save.call(request)
  }
}

/// - Parameter count: the number of clients.
func makeClients(_ count: Int) throws -> [Client] {
  let queues = (1...4).map { DispatchQueue(label: "clients \($0)") }
  return try (0..<count).map { try Client($0, on: queues[$0 % queues.count]) }
}

do {
  // Before the timers are made, so that their labels are recorded.
  try TimerInspector.start(name: "InspectedServer", allowsControl: true)
} catch {
  printLine("no inspector: \(error)")
}

let clients = try makeClients(CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 2_500)
let traffic = try Repeater.every(.milliseconds(20)) { [clients] _, tick in
  for _ in 0..<10 { clients.randomElement()?.receive(tick.iteration) }
}
TimerInspector.label("traffic", traffic)
printLine("\(4 * clients.count) timers")
dispatchMain()
