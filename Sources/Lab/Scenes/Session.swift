import Dashboard
import TimerKit

extension Scene {
  static let session = Scene(
    id: "session", about: "a value that expires: a session, renewed in time and too late",
    look: [
      "A session lives 2 s from its start or its last renewal; x renews it, l logs in anew.",
      "The reader asks for the value every half second: it is there until the deadline and not a"
        + " moment longer, and a renewal that comes too late is an error, never a revival.",
      "The container as S0 prints it never stores its value, so its reader finds nothing from the"
        + " start, and it takes a late renewal without a word.",
    ],
    keys: [.init("x", "renew"), .init("l", "log in anew")],
    legend: [
      .init(.letter("A"), "a session begins, or is read"), .init(.started, "renewed"),
      .init(.cancelled, "expired"), .init(.refused, "too late"), .init(.ignored, "read: nothing"),
    ],
    exhibits: [
      Exhibit(
        "the container as it was printed", isUnsafe: true,
        source: PackageResources.PrintedContainer_txt),
      Exhibit("a value with a lifetime", source: PackageResources.Session_txt),
    ],
    open: {
      VirtualPerformance(
        script: Script("-----x-----x----------x--l----x---------"), inputs: ["x", "l"]
      ) { stage in
        let keys = stage.lane("keys", isInput: true)
        let lane = stage.lane("session")
        let reader = stage.lane("reader").reading()
        let printedReader = stage.lane("as printed").reading()
        // shown
        let session = try TimeLimited<Character>(
          "A", for: .seconds(2), clock: .virtual(stage.clock)
        ) { _, _ in
          lane.mark(.cancelled)
          lane.line(.none)
        }
        // end
        let printed = PrintedContainer(
          value: Character("A"), lifetime: .seconds(2), on: stage.clock)
        let readings = try Repeater.every(.milliseconds(500), clock: .virtual(stage.clock)) {
          _, _ in
          reader.mark(session.value.map(LabSign.letter) ?? .ignored)
          printedReader.mark(printed.value.map(LabSign.letter) ?? .ignored)
        }
        lane.mark(.letter("A"))
        lane.note { session.note(at: stage.clock.now) }
        var names = Array("ZYXWVUTSRQPONMLKJIHGFEDCB")
        stage.keep(readings)
        return { key in
          keys.mark(.letter(key))
          if key == "l" {
            let name = names.popLast() ?? "A"
            // shown
            session.replace(with: name)
            // end
            lane.mark(.letter(name))
            lane.line(.idle)
            return
          }
          printed.resetTimer(to: .seconds(2))
          // shown
          do {
            try session.renew()
            lane.mark(.started)
          } catch {  // TimeLimitedError.expired
            lane.mark(.refused)
          }
          // end
        }
      }
    })
}

extension TimeLimited {
  fileprivate func note(at now: TimerClock.Instant) -> String {
    snapshot.timeLeft(at: now).map { "\($0.tenths) left" } ?? "expired"
  }
}

extension Lane {
  /// Tells how often something was there to be read.
  fileprivate func reading() -> Lane {
    line(.none)
    note { [weak self] in
      guard let self else { return "" }
      return "\(markCount - count(.ignored)) of \(markCount) found it"
    }
    return self
  }
}
