package import Dashboard
package import TimerKit

/// The state of the lab: the menu of scenes, an open scene, or the text and the source code of that scene.
///
/// It reads no clock: the caller passes the time of the suspending clock with every call. The
/// timers of a scene run on clocks and queues of their own, apart from the timers of the board.
package struct LabState {
  /// The lines that the text of a scene takes at most, on a screen of usual width.
  private static let textHeight = 50

  /// The index of the selected scene.
  private var scene = 0
  /// The player of the open scene; `nil` in the menu.
  private var player: (any Player)?
  /// The player of the highlighted scene in the menu; `nil` until its page is drawn.
  private var preview: (any Player)?
  /// The number of lines by which the text is scrolled; `nil` while it is not shown.
  private var textOffset: Int?

  /// Opens a scene, or the menu if there is none.
  package init(_ scene: Scene? = nil) {
    if let scene { open(scene.name) }
  }

  /// Handles a command.
  /// - Returns: False if the command leaves the lab.
  package mutating func update(_ command: LabCommand, at now: TimerClock.Instant) -> Bool {
    switch command {
    case .open(let name): open(name)
    case .choose(let name):
      if Scene.all[scene].name == name { open(name) } else { select(name) }
    case .input:
      if textOffset == nil { player?.handle(command, at: now) }
    case .action(let action):
      if let offset = textOffset {
        updateText(action, offset)
      } else if player == nil {
        return updateMenu(action)
      } else {
        updateScene(action, at: now)
      }
    }
    return true
  }

  private mutating func updateScene(_ action: Action, at now: TimerClock.Instant) {
    switch action {
    case .leave: player = nil
    case .showCode: textOffset = 0
    case .nextScene: open(scene + 1)
    case .previousScene: open(scene - 1)
    default: player?.handle(.action(action), at: now)
    }
  }

  private mutating func updateMenu(_ action: Action) -> Bool {
    switch action {
    case .up: select(scene - 1)
    case .down: select(scene + 1)
    case .nextScene: selectColumn(1)
    case .previousScene: selectColumn(-1)
    case .step: open(scene)
    case .leave: return false
    default: break
    }
    return true
  }

  private mutating func updateText(_ action: Action, _ offset: Int) {
    switch action {
    case .up: textOffset = max(0, offset - 1)
    case .down: textOffset = min(textLineCount - 1, offset + 1)
    case .leave, .showCode: textOffset = nil
    default: break
    }
  }

  private var listings: [LabCode] { player?.listings ?? Scene.all[scene].listings }

  private var textLineCount: Int {
    listings.reduce(Self.textHeight) { $0 + $1.lines.count + 2 }
  }

  private mutating func open(_ name: String) {
    if let index = Scene.all.firstIndex(where: { $0.name == name }) { open(index) }
  }

  private mutating func open(_ index: Int) {
    scene = (index + Scene.all.count) % Scene.all.count
    textOffset = nil
    preview = nil
    player = Scene.all[scene].open()
  }

  private mutating func select(_ name: String) {
    if let index = Scene.all.firstIndex(where: { $0.name == name }) { select(index) }
  }

  private mutating func select(_ index: Int) {
    let index = min(max(0, index), Scene.all.count - 1)
    if index != scene { preview = nil }
    scene = index
  }

  /// Selects the scene in the same line of another column, or the last one of a shorter column.
  private mutating func selectColumn(_ offset: Int) {
    let name = Scene.all[scene].name
    let columns = Scene.groups.map { $0.scenes.map(\.name) }
    guard let column = columns.firstIndex(where: { $0.contains(name) }),
      let row = columns[column].firstIndex(of: name), columns.indices.contains(column + offset)
    else { return }
    let names = columns[column + offset]
    select(names[min(row, names.count - 1)])
  }

  /// Returns the page to show at a time.
  package mutating func page(at now: TimerClock.Instant) -> LabPage {
    let scene = Scene.all[scene]
    guard let snapshot = player?.snapshot(at: now) else { return menu(at: now) }
    if let textOffset { return scene.textPage(snapshot, listings, offset: textOffset) }
    return scene.page(snapshot, code: listings, playsScript: player?.playsScript ?? false)
  }

  /// Returns the time at which the page next changes by itself; `nil` if it does not.
  package func nextChange(after now: TimerClock.Instant) -> TimerClock.Instant? {
    textOffset == nil ? (player ?? preview)?.nextChange(after: now) : nil
  }

  /// Returns the menu with the page of the highlighted scene, which plays once.
  private mutating func menu(at now: TimerClock.Instant) -> LabPage {
    let scene = Scene.all[scene]
    var page = LabPage(
      title: "lab", about: "how timers behave and fail, scene by scene",
      explanation: scene.text.explanation,
      keys: [
        .init(.step, label: "open"), .init(.up, .down, .previousScene, .nextScene, label: "select"),
        .init(.leave, label: "board"), .init(.quit, label: "quit"),
      ])
    var player = preview ?? scene.open()
    if preview == nil { player.playByItself() }
    var shown = scene.page(player.snapshot(at: now), code: player.listings ?? scene.listings)
    // It stands below the names.
    shown.explanation = []
    preview = player
    page.menu = LabMenu(
      Scene.groups.map { .init($0.title, $0.scenes.map(\.name)) }, selected: scene.name,
      preview: [shown])
    return page
  }
}
