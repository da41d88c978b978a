import Dashboard
import Synchronization
import TimerBoard
import TimerKit

extension Scene {
  static let observers = Scene(
    name: "observers", about: "several observers on one timer, notified in order",
    explanation: [
      "At every tick the handler is called first, then the observers in the order in which"
        + " they were added; the digit is the position in that order.",
      "When A is removed, B and C move up; the schedule of the timer does not change.",
      "When A is added again it is the newest and comes last. One added during"
        + " a tick is notified from the next tick on; one removed is not notified any more.",
    ],
    keys: [.init("x", "add"), .init("d", "remove oldest")],
    legend: [.init(.character("2"), "notified second"), .init(.idle, "observing")],
    terms: [.handler, .observer, .tick],
    listings: [LabCode("adding and removing observers", region: "observers")],
    open: {
      VirtualPlayer(
        script: Script("------x---x---x-------d-----------x-----"), inputs: ["x", "d"]
      ) { fixture in
        let order = DeliveryOrder()
        let handlerLane = fixture.lane("handler").counting()
        // region: observers
        let timer = try Repeater.every(.seconds(1), clock: .virtual(fixture.clock)) { _, tick in
          handlerLane.mark(order.next(in: tick))
        }
        // endregion
        let slots = ["A", "B", "C"].map { fixture.lane($0).counting() }
        for lane in slots { lane.setLineStyle(.none) }
        var observing: [(lane: Lane, token: ObserverToken)] = []
        return { key in
          if key == "x",
            let lane = slots.first(where: { free in !observing.contains { $0.lane === free } })
          {
            lane.setLineStyle(.idle)
            // region: observers
            let token = timer.observe { _, event in
              if case .delivery(let tick) = event { lane.mark(order.next(in: tick)) }
            }
            // endregion
            observing.append((lane, token))
          } else if key == "d", !observing.isEmpty {
            let (lane, token) = observing.removeFirst()
            // region: observers
            timer.removeObserver(token)
            // endregion
            lane.setLineStyle(.none)
          }
        }
      }
    })
}

/// A counter of the recipients of each tick.
private final class DeliveryOrder: Sendable {
  private let state = Mutex((iteration: 0, position: 0))

  func next(in tick: Repeater.Tick) -> LabMarkKind {
    state.withLock { state in
      state =
        state.iteration == tick.iteration
        ? (tick.iteration, state.position + 1) : (tick.iteration, 1)
      return .character(Character("\(state.position)"))
    }
  }
}

extension Lane {
  /// Shows the number of ticks beside the lane.
  fileprivate func counting() -> Lane {
    setNote { [weak self] in counted(self?.markCount ?? 0, "tick") }
    return self
  }
}
