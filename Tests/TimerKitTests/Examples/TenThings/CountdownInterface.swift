import Observation
import Synchronization
import Testing
import TimerKit

/// 4. The model of a view that counts down.
@MainActor @Observable
private final class LaunchModel {
  private(set) var secondsLeft = 10
  @ObservationIgnored private var countdown: Countdown?

  func begin(clock: TimerClock = .continuous) throws {
    countdown = try Countdown(
      from: 10, every: .seconds(1), clock: clock, isolation: MainActor.shared
    ) { [weak self] _, left in
      self?.secondsLeft = left
    }
    countdown?.start()
  }

  func hold() { countdown?.pause() }
  func resume() { countdown?.start() }
}

@MainActor @Test func countdownWithObservation() throws {
  let clock = VirtualClock()
  let model = LaunchModel()
  try model.begin(clock: .virtual(clock))
  let isChanged = Mutex(false)
  withObservationTracking {
    #expect(model.secondsLeft == 10)
  } onChange: {
    isChanged.withLock { $0 = true }
  }
  clock.advance(by: .seconds(3))
  #expect(isChanged.withLock { $0 })
  #expect(model.secondsLeft == 7)
  model.hold()
  clock.advance(by: .hours(1))
  model.resume()
  clock.advance(by: .seconds(7))
  #expect(model.secondsLeft == 0)
}
