/// The time limit of a wait: far longer than any expected delay, so that a busy machine causes no
/// failure.
let waitLimit = Duration.seconds(30)

/// Evaluates a condition repeatedly, until it is true or the limit has passed.
/// - Returns: True if the condition was met.
func eventually(
  within limit: Duration = waitLimit, _ condition: () async throws -> Bool
) async throws -> Bool {
  let clock = ContinuousClock()
  let end = clock.now + limit
  var pause = Duration.milliseconds(2)
  while true {
    if try await condition() { return true }
    guard clock.now < end else { return false }
    try await clock.sleep(for: pause)
    pause = min(pause * 2, .milliseconds(50))
  }
}

/// Limits the number of concurrent tests, which would otherwise slow each other down.
actor ConcurrencyLimit {
  static let terminals = ConcurrencyLimit(slots: 8)

  private var slots: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(slots: Int) {
    self.slots = slots
  }

  nonisolated func run<Result>(_ test: () async throws -> Result) async throws -> Result {
    await enter()
    do {
      let result = try await test()
      await leave()
      return result
    } catch {
      await leave()
      throw error
    }
  }

  private func enter() async {
    if slots > 0 {
      slots -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty {
      slots += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
