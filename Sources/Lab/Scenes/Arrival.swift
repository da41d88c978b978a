import Dashboard
import TimerBoard
import TimerKit

extension Scene {
  static let arrival = Scene(
    name: "arrival",
    keys: [.init("x", "request")],
    legend: [
      .init(.waiting, "waiting"), .init(.fired, "data is there"),
      .init(.ignored, "gave up after 2 s"), .init(.wrong, "no data yet"),
    ],
    listings: [
      LabCode("waiting in the hope", region: "hope", isCounterexample: true),
      LabCode("waiting for the data, at most 2 s", region: "arrival"),
    ],
    open: {
      VirtualPlayer(script: Script("--x---------x---------x-----------------"), inputs: ["x"]) {
        fixture in
        let source = fixture.lane("data")
        let hope = fixture.lane("wait 1 s")
        let arrival = fixture.lane("arrival")
        for lane in [hope, arrival] {
          lane.setNote { "\(lane.count(.fired)) of \(source.count(.fired)) used" }
          lane.judge()
        }
        source.setNote { counted(source.count(.fired), "answer") }
        var number = 0
        return { _ in
          let delays: [Duration] = [.milliseconds(500), .milliseconds(1500), .seconds(3)]
          let delay = delays[number % delays.count]
          number += 1
          for lane in [source, hope, arrival] { lane.setLineStyle(.waiting) }
          let data = MutexBox<String?>(nil)
          let clock = TimerClock.virtual(fixture.clock)
          // region: hope
          let guess = try Repeater.once(after: .seconds(1), clock: clock) { _, _ in
            // endregion
            hope.setLineStyle(.idle)
            // region: hope
            if data.value != nil {
              // endregion
              hope.mark(.fired)
              // region: hope
            } else {
              // endregion
              hope.mark(.wrong, wrong: "no data yet")
              // region: hope
            }
          }
          // endregion
          // region: arrival
          let limit = try Repeater.once(after: .seconds(2), clock: clock) { _, _ in
            // endregion
            arrival.setLineStyle(.idle)
            // region: arrival
            arrival.mark(.ignored)
          }
          // endregion
          let answer = try Repeater.once(after: delay, clock: clock) { _, _ in
            data.value = "answer"
            for lane in [source, arrival] { lane.setLineStyle(.idle) }
            source.mark(.fired)
            // region: arrival
            // in the callback that brings the data
            if limit.state == .running {
              limit.cancel()
              arrival.mark(.fired)
            }
            // endregion
          }
          fixture.keep(guess, limit, answer)
        }
      }
    })
}
