import Dashboard
import Dispatch
package import Synchronization
import TimerBoard
import TimerKit

extension Scene {
  static let suspend = Scene(
    name: "suspend",
    keys: [.init("s", "start / pause"), .init("x", "release")],
    legend: [
      .init(.started, "start"), .init(.fired, "fire"), .init(.paused, "pause"),
      .init(.ended, "released"), .init(.wrong, "killed"), .init(.ignored, "not tried"),
    ],
    listings: [
      LabCode("releasing a suspended source", region: "release-suspended", isCounterexample: true),
      LabCode("resuming it first", region: "release-resumed"),
      LabCode("releasing a paused timer", region: "release-paused"),
    ],
    // The time that the child processes take at most.
    duration: .seconds(1),
    script: Script("-s------------s-----x-----s------x------")
  ) { fixture in
    let timer = try Repeater(interval: .seconds(1), clock: .virtual(fixture.clock)) { _, _ in }
    let lanes = PausedRelease.allCases.map { way in
      let lane = fixture.lane(way.rawValue)
      lane.follow(timer)
      lane.setNote {
        let killed = lane.count(.wrong)
        return "\(killed) of \(killed + lane.count(.ended)) killed"
      }
      return (way, lane)
    }
    return { key in
      let state = timer.state
      if key == "s" {
        fixture.keyWord.value = state == .running ? "pause" : "start"
        _ = state == .running ? timer.pause() : timer.start()
      } else if state != .idle {
        let isPaused = state == .paused
        for (way, lane) in lanes { lane.markRelease(signal: isPaused ? way.signal : 0) }
        timer.reset()
      }
    }
  }
}

extension Lane {
  /// Marks the release of a timer: the process ends by a signal, 0 for none; `nil` if it was not tried.
  fileprivate func markRelease(signal: Int32?) {
    let isKilled = (signal ?? 0) != 0
    mark(
      signal == nil ? .ignored : .ended, word: signal == nil ? "" : "released",
      wrong: isKilled ? "process killed" : nil)
  }
}

/// A way to release a paused timer. The lab tries it in a child process, which the first way kills.
package enum PausedRelease: String, CaseIterable, Sendable {
  case suspended = "suspend"
  case resumed = "resume first"
  case timerKit = "TimerKit"

  /// Runs a process that calls ``perform()``, and returns the signal that has killed it; 0 for none, `nil` if it could not
  /// run. The program sets it.
  package static let runProcess = Mutex<@Sendable (PausedRelease) -> Int32?>({ _ in nil })

  fileprivate var signal: Int32? { Self.runProcess.withLock { $0 }(self) }

  /// Creates a timer, pauses it and releases it.
  package func perform() throws {
    switch self {
    case .suspended:
      // region: release-suspended
      let source = DispatchSource.makeTimerSource()
      source.schedule(deadline: .now(), repeating: 1)
      source.activate()
      source.suspend()  // a pause; the release of the source kills the process
    // endregion
    case .resumed:
      // region: release-resumed
      let source = DispatchSource.makeTimerSource()
      source.schedule(deadline: .now(), repeating: 1)
      source.activate()
      source.suspend()
      source.cancel()
      source.resume()  // as often as it was suspended
    // endregion
    case .timerKit:
      // region: release-paused
      let timer = try Repeater.every(.seconds(1)) { _, _ in }
      timer.pause()
    // endregion
    }
  }
}
