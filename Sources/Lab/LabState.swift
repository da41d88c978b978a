package import Dashboard
package import TimerKit

/// The state of the lab: the menu of scenes, an open scene, or the source code of that scene.
///
/// It reads no clock: the caller passes the time of the suspending clock with every call. The
/// timers of a scene run on clocks and queues of their own, apart from the timers of the board.
package struct LabState {
  /// The lines that the text of a scene takes at most, on a screen of usual width.
  private static let textHeight = 40

  /// The index of the selected scene.
  private var scene = 0
  /// The player of the open scene; `nil` in the menu.
  private var player: (any Player)?
  /// The number of lines by which the source code is scrolled; `nil` while it is not shown.
  private var codeOffset: Int?

  /// Opens a scene, or the menu if there is none.
  package init(_ scene: Scene? = nil) {
    if let index = Scene.all.firstIndex(where: { $0.name == scene?.name }) { open(index) }
  }

  /// Handles a command.
  /// - Returns: False if the command leaves the lab.
  package mutating func update(_ command: LabCommand, at now: TimerClock.Instant) -> Bool {
    switch command {
    case .open(let name):
      codeOffset = nil
      if let index = Scene.all.firstIndex(where: { $0.name == name }) { open(index) }
    case .input:
      if codeOffset == nil { player?.handle(command, at: now) }
    case .action(let action):
      if let offset = codeOffset {
        updateCode(action, offset)
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
    case .showCode: codeOffset = 0
    case .nextScene: open(scene + 1)
    case .previousScene: open(scene - 1)
    default: player?.handle(.action(action), at: now)
    }
  }

  private mutating func updateMenu(_ action: Action) -> Bool {
    switch action {
    case .up: scene = max(0, scene - 1)
    case .down: scene = min(Scene.all.count - 1, scene + 1)
    case .step, .nextScene: open(scene)
    case .leave: return false
    default: break
    }
    return true
  }

  private mutating func updateCode(_ action: Action, _ offset: Int) {
    switch action {
    case .up: codeOffset = max(0, offset - 1)
    case .down: codeOffset = min(codeHeight - 1, offset + 1)
    case .leave, .showCode: codeOffset = nil
    default: break
    }
  }

  private var listings: [LabCode] { player?.listings ?? Scene.all[scene].listings }

  private var codeHeight: Int { listings.reduce(Self.textHeight) { $0 + $1.lines.count + 2 } }

  private mutating func open(_ index: Int) {
    scene = (index + Scene.all.count) % Scene.all.count
    player = Scene.all[scene].open()
  }

  /// Returns the page to show at a time.
  package mutating func page(at now: TimerClock.Instant) -> LabPage {
    let scene = Scene.all[scene]
    guard let snapshot = player?.snapshot(at: now) else { return menu }
    if let codeOffset {
      return scene.codeFrame(snapshot, listings, scroll: codeOffset)
    }
    return scene.page(snapshot, code: listings)
  }

  /// Returns the time at which the page next changes by itself; `nil` if it does not.
  package func nextChange(after now: TimerClock.Instant) -> TimerClock.Instant? {
    codeOffset == nil ? player?.nextChange(after: now) : nil
  }

  private var menu: LabPage {
    LabPage(
      title: "lab", about: "how timers behave and fail, scene by scene",
      blocks: [
        .table(
          LabTable(
            [.init(""), .init("")],
            Scene.all.map { [.text($0.name), .text($0.about, .faint)] }, selected: scene))
      ],
      explanation: Scene.all[scene].text.explanation,
      keys: [
        .init(.step, label: "open"), .init(.up, .down, label: "select"),
        .init(.leave, label: "board"), .init(.quit, label: "quit"),
      ])
  }
}
