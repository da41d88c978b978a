import Dashboard
import TimerBoard
import TimerKit

extension Scene {
  static let arrival = Scene(
    name: "arrival",
    keys: [.init("x", "request")],
    legend: [
      .init(.waiting, "waiting"), .init(.fired, "data is there"),
      .init(.ended, "gave up after 2 s"), .init(.wrong, "no data yet"),
    ],
    listings: [
      LabCode("waiting in the hope", region: "hope", isCounterexample: true),
      LabCode("waiting for the data, at most 2 s", region: "arrival"),
    ],
    script: Script("--x---------x---------x-----------------")
  ) { fixture in
    let source = fixture.lane("data", isJudged: false)
    let hope = fixture.lane("wait 1 s")
    let arrival = fixture.lane("arrival")
    for lane in [hope, arrival] {
      lane.setNote {
        let ends = [LabMarkKind.fired, .ended, .wrong].reduce(0) { $0 + lane.count($1) }
        return "\(lane.count(.wrong)) of \(ends) without data"
      }
    }
    source.setNote { counted(source.count(.fired), "answer") }
    var number = 0
    return { _ in
      let delays: [Duration] = [.milliseconds(500), .milliseconds(1500), .seconds(3)]
      let delay = delays[number % delays.count]
      number += 1
      for lane in [source, hope, arrival] { lane.setLine(.waiting, word: "waits") }
      let data = MutexBox<String?>(nil)
      let clock = TimerClock.virtual(fixture.clock)
      // region: hope
      let guess = try Repeater.once(after: .seconds(1), clock: clock) { _, _ in
        hope.use(data.value)  // if it is there by now
      }
      // endregion
      // region: arrival
      let limit = try Repeater.once(after: .seconds(2), clock: clock) { _, _ in
        arrival.giveUp()
      }
      // endregion
      let answer = try Repeater.once(after: delay, clock: clock) { _, _ in
        data.value = "answer"
        source.use(data.value)
        // region: arrival
        // where the data comes in:
        if limit.state == .running {
          limit.cancel()
          arrival.use(data.value)
        }
        // endregion
      }
      fixture.keep(guess, limit, answer)
    }
  }
}

extension Lane {
  fileprivate func use(_ data: String?) {
    setLine(.idle)
    mark(.fired, wrong: data == nil ? "no data yet" : nil)
  }

  fileprivate func giveUp() {
    setLine(.idle)
    mark(.ended, word: "gave up")
  }
}
