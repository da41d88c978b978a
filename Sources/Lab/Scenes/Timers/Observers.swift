import Dashboard
import TimerBoard
import TimerKit

extension Scene {
  static let observers = Scene(
    name: "observers",
    keys: [.init("x", "add"), .init("d", "remove the oldest")],
    legend: [
      .init(.character("2"), "called second, of all in this tick"),
      .init(.wrong, "not with the others"),
    ],
    listings: [LabCode("adding and removing observers", region: "observers")],
    script: Script("------x---x---x-------d-----------x-----")
  ) { fixture in
    let order = MutexBox((iteration: 0, position: 0))
    let own = fixture.lane("own timer").counting()
    let handlerLane = fixture.lane("handler").counting()
    // region: observers
    let timer = try Repeater.every(.seconds(1), clock: .virtual(fixture.clock)) { _, tick in
      handlerLane.markCall(order.next(in: tick))
    }
    // endregion
    let slots = ["screen", "log", "sound"].map { fixture.lane($0).counting() }
    for lane in slots + [own] { lane.setLine(.none) }
    var observing: [(lane: Lane, token: ObserverToken)] = []
    var ownTimer: Repeater?
    return { key in
      if key == "x",
        let lane = slots.first(where: { free in !observing.contains { $0.lane === free } })
      {
        lane.setLine(.idle)
        // region: observers
        let token = timer.observe { _, event in
          if case .delivery(let tick) = event { lane.markCall(order.next(in: tick)) }
        }
        // endregion
        observing.append((lane, token))
        if ownTimer == nil {
          own.setLine(.idle)
          ownTimer = try .every(.seconds(1), clock: .virtual(fixture.clock)) { [timer] _, _ in
            own.markTick(before: timer.snapshot.timeLeft(at: fixture.clock.now) ?? .zero)
          }
        }
      } else if key == "d", !observing.isEmpty {
        let (lane, token) = observing.removeFirst()
        // region: observers
        timer.removeObserver(token)
        // endregion
        lane.setLine(.none)
      }
    }
  }
}

/// The recipients of each tick.
extension MutexBox<(iteration: Int, position: Int)> {
  fileprivate func next(in tick: Repeater.Tick) -> Int {
    let position = value.iteration == tick.iteration ? value.position + 1 : 1
    value = (tick.iteration, position)
    return position
  }
}

extension Lane {
  /// Shows, beside the lane, the number of ticks that were not in a tick of the timer.
  fileprivate func counting() -> Lane {
    setNote { [weak self] in
      guard let self else { return "" }
      return "\(count(.wrong)) of \(markCount) apart"
    }
    return self
  }

  /// Marks a call by its position in the tick.
  fileprivate func markCall(_ position: Int) {
    let ordinals = ["1st", "2nd", "3rd"]
    mark(position, position <= 3 ? ordinals[position - 1] : "\(position)th")
  }

  /// Marks a tick of a timer of its own, which is wrong if the tick of the others is still to come.
  fileprivate func markTick(before timeLeft: Duration) {
    let isWrong = timeLeft > .zero && timeLeft < .seconds(1)
    mark(.fired, wrong: isWrong ? "\(timeLeft.tenths) before the others" : nil)
  }
}
