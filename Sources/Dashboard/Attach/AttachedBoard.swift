package import TerminalCore
package import TimerBoard
package import TimerKit

/// The board of another process: a dashboard whose rows are a page of that process's timers. Keys and replies go in,
/// requests come out, and a frame is a function of it and of the time.
package struct AttachedBoard {
  private(set) var dashboard: Dashboard
  /// The board without timers, for the log.
  private var board = Board()

  package init(
    _ process: AttachedProcess, options: DisplayOptions, bindings: Bindings = .standard, size: Size
  ) {
    var options = options
    options.boardLayout = .rows
    dashboard = Dashboard(options: options, size: size, bindings: bindings.attached)
    dashboard.attached = AttachedTimers(of: process, keysOfBoard: bindings)
    dashboard.listState.order = RowOrder(column: .late, isReversed: true)
  }

  /// Returns the line to send now, if any.
  package mutating func nextRequest(at now: TimerClock.Instant) -> String? {
    let page = dashboard.wantedPage
    return dashboard.attached?.nextRequest(for: page, at: now)
  }

  package mutating func receive(_ reply: AttachReply, at now: ClockReading) {
    _ = dashboard.lend(&board, at: now) { $0.receive(reply, at: now) }
  }

  /// Keeps the last page, because there is no connection any more.
  package mutating func end(_ reason: String) { dashboard.attached?.end(reason) }

  package mutating func resize(to size: Size, at now: ClockReading) {
    _ = dashboard.update(.resized(size), &board, at: now)
  }

  /// Performs the first of the inputs that have arrived.
  /// - Returns: The number of inputs that were handled, `nil` if the text has no room in the filter, and the effects,
  ///   which the caller performs.
  package mutating func update(
    _ inputs: ArraySlice<TerminalInput>, at now: ClockReading
  ) -> (count: Int?, effects: [Effect]) {
    let (count, _, effects) = dashboard.update(inputs, &board, at: now)
    return (count, effects)
  }

  /// Returns the frame; without a connection, that of the last page.
  package func frame(at now: ClockReading) -> RenderedFrame {
    let attached = dashboard.attached
    let isEnded = attached?.hasEnded ?? false
    var frame = dashboard.frame(of: board, at: isEnded ? attached?.pageTime ?? now : now)
    frame.nextRedraw = isEnded ? nil : frame.nextRedraw.earlier(or: attached?.nextChange(at: now))
    return frame
  }
}

extension Bindings {
  /// The keys that have a meaning for the timers of another process.
  fileprivate var attached: Bindings {
    let scopes: Set<Binding.Scope> = [.focus, .timeline, .log, .prompt, .help]
    let kept = all.filter {
      scopes.contains($0.scope)
        ? $0.action != .toggleActions : Self.attachedActions.contains($0.action)
    }
    return Bindings(
      kept.map { binding in
        var binding = binding
        // What one opens it for is in the order.
        if binding.action == .sort { (binding.footer, binding.rank) = ("sort", 4) }
        return binding
      })
  }

  private static let attachedActions: Set<Action> = [
    .up, .down, .left, .right, .top, .bottom, .pageUp, .pageDown, .halfPageUp, .halfPageDown,
    .startOrPause, .restart, .reset, .fire, .filter, .sort, .reverse, .dismiss, .showBoard,
    .showFocus, .showTimeline, .showLog, .nextView, .previousView, .theme, .help, .redraw, .suspend,
    .quit, .interrupt,
  ]
}
