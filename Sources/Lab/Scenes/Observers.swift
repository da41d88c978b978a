import Dashboard
import Synchronization
import TimerKit

extension Scene {
  static let observers = Scene(
    id: "observers", about: "several observers on one timer, each told in its turn",
    look: [
      "At every tick the handler is told first, then the observers in the order in which they were"
        + " added: the digit is the place in the row.",
      "When A is removed, B and C move up and the timer takes no notice.",
      "Added again, A is the newest and stands last; nobody is told twice, or after being removed.",
    ],
    keys: [.init("x", "add"), .init("d", "remove the oldest")],
    legend: [.init(.letter("2"), "told second"), .init(.idle, "observing")],
    exhibits: [Exhibit("adding and removing", source: PackageResources.Observers_txt)],
    open: {
      VirtualPerformance(
        script: Script("------x---x---x-------d---------x-------"), inputs: ["x", "d"]
      ) { stage in
        let keys = stage.lane("keys", isInput: true)
        let turns = Turns()
        let handler = stage.lane("handler").counting()
        // shown
        let timer = try Repeater.every(.seconds(1), clock: .virtual(stage.clock)) { _, tick in
          handler.mark(turns.next(in: tick))
        }
        // end
        let seats = ["A", "B", "C"].map { Seat(lane: stage.lane($0).counting()) }
        for seat in seats { seat.lane.line(.none) }
        var seated: [(seat: Seat, token: ObserverToken)] = []
        return { key in
          keys.mark(.letter(key))
          if key == "x",
            let seat = seats.first(where: { free in
              !seated.contains { $0.seat === free }
            })
          {
            let lane = seat.lane
            lane.line(.idle)
            // shown
            let token = timer.observe { _, event in
              if case .tick(let tick) = event { lane.mark(turns.next(in: tick)) }
            }
            // end
            seated.append((seat, token))
          } else if key == "d", !seated.isEmpty {
            let (seat, token) = seated.removeFirst()
            // shown
            timer.remove(token)
            // end
            seat.lane.line(.none)
          }
        }
      }
    })
}

/// A place for an observer.
private final class Seat {
  let lane: Lane

  init(lane: Lane) {
    self.lane = lane
  }
}

/// Numbers those who are told of a tick.
private final class Turns: Sendable {
  private let state = Mutex((iteration: 0, turn: 0))

  func next(in tick: Repeater.Tick) -> LabSign {
    state.withLock { state in
      state =
        state.iteration == tick.iteration ? (tick.iteration, state.turn + 1) : (tick.iteration, 1)
      return .letter(Character("\(state.turn)"))
    }
  }
}

extension Lane {
  fileprivate func counting() -> Lane {
    note { [weak self] in "told " + counted(self?.markCount ?? 0, "time", "times") }
    return self
  }
}
