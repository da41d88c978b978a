package import TerminalCore
package import TimerBoard
package import TimerKit

/// The board of another process: keys and replies go in, requests come out, and a frame is a function of it and of the
/// time. It holds one page of the timers; the other process filters and sorts them.
package struct AttachedBoard {
  static let orders = ["name", "deadline", "state", "lateness"]

  let process: AttachedProcess
  let options: DisplayOptions
  let bindings: Bindings
  let theme: Theme
  let symbols: Symbols
  package var size: Size {
    didSet { move(by: 0) }
  }
  private(set) var view = DashboardView.board
  /// The number of lines above the visible part of the help; `nil` if it is not shown.
  private(set) var helpOffset: Int?
  private(set) var filter = LineEditor.forFilter
  private(set) var isTyping = false
  private(set) var (order, isReversed) = (0, false)
  private var notice: Notice?
  /// The matching timers before the selected one, and before the top of the screen.
  private(set) var (selected, top) = (0, 0)
  private var selectedID: Int64?

  private(set) var page: AttachedPage?
  /// The matching timers before the page, the number that was requested, and the instant at which it came.
  private(set) var (pageOffset, pageCount) = (0, 0)
  private(set) var pageTime: TimerClock.Instant?
  /// The fires and the wake-ups in a second, and the page from which they are counted.
  private(set) var rates: (fired: Double, wakeUps: Double)?
  private var rateBase: (page: AttachedPage, at: TimerClock.Instant)?
  /// The fires between the pages.
  private(set) var log: [TextLine] = []

  /// The request whose reply has not come, and the result of the control in it.
  private var asked: (at: TimerClock.Instant, offset: Int, count: Int, result: String?)?
  private var controls: [(request: String, result: String)] = []
  private var needsPage = true
  private(set) var hasEnded = false

  package init(
    _ process: AttachedProcess, options: DisplayOptions, bindings: Bindings = .standard, size: Size
  ) {
    (self.process, self.options, self.size) = (process, options, size)
    self.bindings = bindings.attached
    theme = options.fittingTheme
    symbols = options.symbols
  }

  var matchCount: Int { Int(min(page?.matching ?? 0, 1 << 40)) }

  var selectedTimer: AttachedTimer? {
    selected < pageOffset ? nil : page?.timers.dropFirst(selected - pageOffset).first
  }
}

/// The requests and their replies. There is at most one request without a reply.
extension AttachedBoard {
  /// Returns the line to send now, if any.
  package mutating func nextRequest(at now: TimerClock.Instant) -> String? {
    guard asked == nil, !hasEnded else { return nil }
    if !controls.isEmpty {
      let control = controls.removeFirst()
      asked = (now, 0, 0, control.result)
      return control.request
    }
    guard needsPage || nextPage.map({ $0 <= now }) ?? false else { return nil }
    (needsPage, asked) = (false, (now, top, rowCount, nil))
    let sort = "\(Self.orders[order])\t\(isReversed ? 1 : 0)"
    return "page\t\(top)\t\(rowCount)\t\(sort)\t\(filter.text)\n"
  }

  /// The instant of the next request; `nil` while a reply is awaited.
  var nextPage: TimerClock.Instant? {
    asked == nil && !hasEnded ? pageTime?.advanced(by: .seconds(1)) : nil
  }

  /// The notice, or that a reply is overdue.
  func notice(at now: TimerClock.Instant) -> Notice? {
    guard let seconds = asked.map({ $0.at.duration(to: now).components.seconds }), seconds > 2
    else { return notice }
    return .failure("no reply for \(seconds) s; the process may be suspended")
  }

  package mutating func receive(_ reply: AttachReply, at now: ClockReading) {
    switch (reply, asked?.result) {
    case (.page(let page), nil): show(page, at: now)
    case (.done, let result?): notice = .success(result)
    case (.refused(let reason), nil): end("the process sent an error: \(reason)")
    case (.refused(let reason), _): notice = .failure("refused: \(reason)")
    default: end("the process \(AttachError())")
    }
    asked = nil
  }

  /// Keeps the last page, because there is no connection any more.
  package mutating func end(_ reason: String) {
    (hasEnded, asked, notice) = (true, nil, .failure("\(reason); q closes its last page"))
  }

  private mutating func show(_ page: AttachedPage, at now: ClockReading) {
    note(page, at: now)
    let base = rateBase ?? (page, now.suspending)
    let seconds = base.at.duration(to: now.suspending) / .seconds(1)
    // Pages that keys request are too close to each other.
    if seconds >= 0.5 {
      let fired = max(page.fired, base.page.fired) - base.page.fired
      let wakeUps = max(page.wakeUps, base.page.wakeUps) - base.page.wakeUps
      rates = (Double(fired) / seconds, Double(wakeUps) / seconds)
    }
    if seconds >= 0.5 || rateBase == nil { rateBase = (page, now.suspending) }
    (self.page, pageTime) = (page, now.suspending)
    (pageOffset, pageCount) = (asked?.offset ?? 0, asked?.count ?? 0)
    // The selection stays on its timer while that is on the page, unless another page is wanted already.
    let isOutdated = needsPage
    if !isOutdated, let index = page.timers.firstIndex(where: { $0.id == selectedID }) {
      selected = pageOffset + index
    }
    move(by: 0)
    (needsPage, selectedID) = (isOutdated, isOutdated ? nil : selectedID)
  }

  /// Notes the fires since the previous page.
  private mutating func note(_ page: AttachedPage, at now: ClockReading) {
    let time = LocalTime(now).timeOfDay(uses24Hours: options.uses24Hours)
    for timer in page.timers {
      guard let old = self.page?.timers.first(where: { $0.id == timer.id }),
        timer.fired > old.fired
      else { continue }
      var line = TextLine("\(time)  ", .faint)
      line.add("\(symbols.fired) \(timer.fired - old.fired)×", .running, filling: 6)
      line.add(timer.name, .selectedName)
      line.add("  late \(TimeText.lateness(.nanoseconds(timer.late ?? 0)))", .faint)
      if timer.missed > old.missed { line.add("  \(timer.missed - old.missed) missed", .warning) }
      log.append(line)
    }
    log.removeFirst(max(0, log.count - 500))
  }
}

/// The keys.
extension AttachedBoard {
  /// Performs the first of the inputs that have arrived. Characters that follow each other in the filter are one change.
  /// - Returns: The number of inputs that were handled, `nil` if the text has no room in the filter, and an effect that the
  ///   caller performs.
  package mutating func update(_ inputs: ArraySlice<TerminalInput>) -> (
    count: Int?, effect: Effect?
  ) {
    guard let first = inputs.first else { return (0, nil) }
    let typed = inputs.prefix(isTyping ? .max : 0).typedText
    guard typed.count > 1 else { return (1, update(first)) }
    edit { $0.insert(typed.text) }
    return (filter.refusal == nil ? typed.count : nil, nil)
  }

  /// Performs an input.
  /// - Returns: An effect that the caller performs.
  package mutating func update(_ input: TerminalInput) -> Effect? {
    switch input {
    case .key(let key):
      if !hasEnded { notice = nil }
      let action =
        isTyping
        ? bindings.action(for: key, in: .prompt)
        : bindings.action(for: key, in: .board) ?? bindings.action(for: key, in: .global)
      if let action { return perform(action) }
      if isTyping, let text = key.text { edit { $0.insert(text) } }
    case .paste(let text): if isTyping { edit { $0.insert(text) } }
    case .mouse, .focus: break
    }
    return nil
  }

  private mutating func perform(_ action: Action) -> Effect? {
    if let helpOffset,
      let lines = action.scrollDistance(page: rowCount, length: help.height)
    {
      self.helpOffset = max(0, min(helpOffset + lines, help.height - areas.body.height))
      return nil
    }
    let closesHelp = helpOffset != nil
    helpOffset = action == .help && !closesHelp ? 0 : nil
    switch action {
    case .quit: return .quit(status: 0)
    case .interrupt: return .quit(status: 130)
    case .suspend: return .suspend
    case .redraw: return .redraw
    case .dismiss where view != .board && !closesHelp: view = .board
    case .dismiss, .cancel:
      isTyping = false
      if !closesHelp { edit { $0 = .forFilter } }
    // The process orders and filters its timers.
    case .filter where hasEnded, .sort where hasEnded: break
    case .filter: (view, isTyping) = (.board, true)
    case .accept: isTyping = false
    case .sort:
      if isReversed { order = (order + 1) % Self.orders.count }
      isReversed.toggle()
      showFirstPage()
    case .startOrPause:
      let pauses = selectedTimer?.isRunning == true
      let starts = selectedTimer?.state == .paused ? "resumed" : "started"
      control(pauses ? "pause" : "resume", pauses ? "paused" : starts)
    case .fire: control("fire", "fired")
    case .reset: control("reset", "reset")
    default:
      if isTyping { edit { $0.perform(action) } }
      move(by: action.scrollDistance(page: rowCount, length: 1 << 50) ?? 0)
      view = bindings.ofViews.first { $0.view.action == action }?.view ?? view
    }
    return nil
  }

  private mutating func control(_ action: String, _ result: String) {
    guard let timer = selectedTimer, !hasEnded else { return }
    guard process.allowsControls else {
      notice = .failure("controls are off; the program allows them in TimerInspector.start")
      return
    }
    controls.append(("control\t\(timer.id)\t\(action)\n", "\(timer.name): \(result)"))
    needsPage = true
  }

  /// Moves the selection, and asks for the page around it if that is not shown.
  private mutating func move(by distance: Int) {
    selected = max(0, min(selected + distance, matchCount - 1))
    top = max(0, min(max(top, selected - rowCount + 1), selected, matchCount - rowCount))
    if top != pageOffset || rowCount > pageCount { needsPage = true }
    selectedID = selectedTimer?.id
  }

  private mutating func showFirstPage() {
    (selected, top, selectedID, needsPage) = (0, 0, nil, true)
  }

  /// Edits the filter. A request has at most 1,024 bytes.
  private mutating func edit(_ change: (inout LineEditor) -> Void) {
    let before = filter
    change(&filter)
    if filter.text.utf8.count > 900 {
      filter = before
      filter.refuse()
    }
    if filter.text != before.text { showFirstPage() }
  }
}

extension Bindings {
  /// The keys of the board of another process: those of the own board that apply to it, and two more.
  fileprivate var attached: Bindings {
    let actions: Set<Action> = [
      .up, .down, .top, .bottom, .pageUp, .pageDown, .halfPageUp, .halfPageDown, .filter, .fire,
      .startOrPause, .dismiss, .showBoard, .showFocus, .showTimeline, .showLog, .help, .redraw,
      .suspend, .quit, .interrupt,
    ]
    let added = [
      Binding(["r"], .reset, footer: "reset", rank: 5),
      Binding(["s"], .sort, "reverse / next order", footer: "sort", rank: 4),
    ]
    let kept = all.filter {
      $0.scope == .prompt || [.board, .global].contains($0.scope) && actions.contains($0.action)
    }
    let (own, outer) = (kept.filter { $0.scope == .board }, kept.filter { $0.scope != .board })
    return Bindings(own + added.of(.board) + outer)
  }
}
