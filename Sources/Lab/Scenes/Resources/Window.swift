import Dashboard
import TimerBoard
import TimerKit

extension Scene {
  static let window = Scene(
    name: "window",
    keys: [.init("x", "close / open")],
    legend: [
      .init(.fired, "draws"), .init(.started, "opened"), .init(.ended, "closed"),
      .init(.wrong, "draws after it is closed"),
    ],
    listings: [
      LabCode("a window that its timer keeps", region: "retain-cycle", isCounterexample: true),
      LabCode("two ways out", region: "ways-out"),
    ],
    script: Script("-------------x--------------------------")
  ) { fixture in
    let lanes = Window.Kind.allCases.map { fixture.lane($0.rawValue) }
    for lane in lanes {
      lane.setNote { "\(counted(lane.count(.wrong), "draw")) after closing" }
    }
    var windows: [Window] = []
    /// Opens the windows.
    func open() throws {
      windows = try zip(Window.Kind.allCases, lanes).map { kind, lane in
        lane.setLine(.idle)
        let window = Window(on: lane)
        try window.open(kind)
        if kind == .strong, let timer = window.timer.value { fixture.keep(timer) }
        return window
      }
    }
    try open()
    return { _ in
      fixture.keyWord.value = windows.isEmpty ? "open" : "close"
      for lane in lanes {
        lane.mark(windows.isEmpty ? .started : .ended, word: windows.isEmpty ? "opened" : "closed")
        lane.setLine(.none)
      }
      if windows.isEmpty { return try open() }
      for (window, kind) in zip(windows, Window.Kind.allCases) { window.close(kind) }
      windows = []
    }
  }
}

/// An owner of a timer that draws once a second.
private final class Window: Sendable {
  enum Kind: String, CaseIterable {
    case strong = "self"
    case weak = "weak self"
    case cancel
  }

  let timer = MutexBox<Repeater?>(nil)
  private let lane: Lane
  private let isClosed = MutexBox(false)

  init(on lane: Lane) {
    self.lane = lane
  }

  func open(_ kind: Kind) throws(TimerConfigurationError) {
    let clock = TimerClock.virtual(lane.clock)
    switch kind {
    case .strong, .cancel:
      // region: retain-cycle
      // The window keeps the timer, the timer its handler, and the handler the window.
      timer.value = try .every(.seconds(1), clock: clock) { _, _ in self.draw() }
    // endregion
    case .weak:
      // region: ways-out
      timer.value = try .every(.seconds(1), clock: clock) { [weak self] _, _ in
        self?.draw()
      }
    // endregion
    }
  }

  /// Closes the window before its owner releases it.
  func close(_ kind: Kind) {
    isClosed.value = true
    guard kind == .cancel else { return }
    // region: ways-out
    timer.value?.cancel()  // on closing: a cancelled timer releases its handler
    // endregion
  }

  private func draw() {
    lane.mark(.fired, wrong: isClosed.value ? "still draws" : nil)
  }
}
