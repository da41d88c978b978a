package import Dashboard
package import TimerKit

/// The lab as a person uses it: a menu of scenes, one of them open, or its code.
///
/// It reads no clock: the time, on the suspending clock, comes with every call. Its timers run on
/// clocks and queues of their own, and none of them is a person's.
package struct LabState {
  private var scene: Int
  /// `nil` in the menu.
  private var performance: (any Performance)?
  /// How far the code is scrolled; `nil` while it is not shown.
  private var code: Int?

  /// Opens a scene, or the menu.
  package init(_ scene: Scene? = nil) {
    let index = Scene.all.firstIndex { $0.id == scene?.id }
    self.scene = index ?? 0
    if index != nil { performance = Scene.all[self.scene].open() }
  }

  /// Does what a key asks for.
  /// - Returns: false if the lab is to be left.
  package mutating func update(_ command: LabCommand, at now: TimerClock.Instant) -> Bool {
    if let offset = code { return updateCode(command, offset) }
    guard performance != nil else { return updateMenu(command) }
    switch command {
    case .back: performance = nil
    case .code: code = 0
    case .nextScene: open(scene + 1)
    case .previousScene: open(scene - 1)
    default: performance?.perform(command, at: now)
    }
    return true
  }

  private mutating func updateMenu(_ command: LabCommand) -> Bool {
    switch command {
    case .up: scene = max(0, scene - 1)
    case .down: scene = min(Scene.all.count - 1, scene + 1)
    case .step, .nextScene: open(scene)
    case .back: return false
    default: break
    }
    return true
  }

  private mutating func updateCode(_ command: LabCommand, _ offset: Int) -> Bool {
    switch command {
    case .up: code = max(0, offset - 1)
    case .down: code = min(codeHeight - 1, offset + 1)
    case .back, .code: code = nil
    default: break
    }
    return true
  }

  private var codeHeight: Int {
    (performance?.exhibits ?? Scene.all[scene].exhibits).reduce(0) { $0 + $1.lines.count + 2 }
  }

  private mutating func open(_ index: Int) {
    scene = (index + Scene.all.count) % Scene.all.count
    performance = Scene.all[scene].open()
  }

  /// What is to be seen.
  package mutating func frame(at now: TimerClock.Instant) -> LabFrame {
    let scene = Scene.all[scene]
    guard let picture = performance?.picture(at: now) else { return menu }
    if let code {
      return scene.codeFrame(performance?.exhibits ?? scene.exhibits, scroll: code)
    }
    return scene.frame(picture)
  }

  /// When the picture next changes by itself; `nil` where it never does.
  package func staleAt(_ now: TimerClock.Instant) -> TimerClock.Instant? {
    code == nil ? performance?.staleAt(now) : nil
  }

  private var menu: LabFrame {
    LabFrame(
      title: "lab", about: "how timers behave, and how they go wrong",
      blocks: [
        .table(
          LabTable(
            [.init(""), .init("")],
            Scene.all.map { [.init($0.id), .init($0.about, .faint)] }, selected: scene))
      ],
      look: Scene.all[scene].look,
      keys: [
        .init(.step, label: "open"), .init(.up, .down, label: "choose"),
        .init(.back, label: "board"), .init(.quit, "quit"),
      ])
  }
}
