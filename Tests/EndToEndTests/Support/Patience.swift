/// The time that a test waits for what must come: far longer than it takes, so that on a busy machine
/// only what never comes fails.
let patience = Duration.seconds(30)

/// Asks again and again until the answer is yes, and no longer than `limit`.
/// - Returns: whether it ever was.
func eventually(
  within limit: Duration = patience, _ isSo: () async throws -> Bool
) async throws -> Bool {
  let clock = ContinuousClock()
  let end = clock.now + limit
  var pause = Duration.milliseconds(2)
  while true {
    if try await isSo() { return true }
    guard clock.now < end else { return false }
    try await clock.sleep(for: pause)
    pause = min(pause * 2, .milliseconds(50))
  }
}

/// Lets only so many tests through at a time: all at once would keep each other waiting.
actor Turnstile {
  static let terminals = Turnstile(places: 8)

  private var places: Int
  private var waiting: [CheckedContinuation<Void, Never>] = []

  init(places: Int) {
    self.places = places
  }

  nonisolated func pass<Result>(_ test: () async throws -> Result) async throws -> Result {
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
    if places > 0 {
      places -= 1
    } else {
      await withCheckedContinuation { waiting.append($0) }
    }
  }

  private func leave() {
    if waiting.isEmpty {
      places += 1
    } else {
      waiting.removeFirst().resume()
    }
  }
}
