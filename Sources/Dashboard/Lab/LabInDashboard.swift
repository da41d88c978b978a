import TerminalCore

extension DashboardView {
  static let lab = DashboardView(
    scope: .lab, key: .character("4"), action: .showLab,
    bindings: [
      Binding(
        .lab, [.enter, .character(".")], .step, "open scene / next event"),
      Binding(.lab, [.character("p"), .space], .pauseScene, "pause / resume"),
      Binding(.lab, [.character("+"), .character("=")], .faster, "speed up (to ×100)"),
      Binding(.lab, [.character("-"), .character("_")], .slower, "slow down (to 1/10)"),
      Binding(
        .lab, [.character("X")], .playToEnd, "play to end"),
      Binding(.lab, [.character("c")], .showCode, "show / hide code"),
      Binding(.lab, [.character("r"), .backspace], .restartScene, "restart scene"),
      Binding(.lab, [.up, .character("k")], .up, "move up"),
      Binding(.lab, [.down, .character("j")], .down, "move down"),
      Binding(.lab, [.right], .nextScene, "next scene"),
      Binding(.lab, [.left], .previousScene, "previous scene"),
      Binding(.lab, [.escape], .leave, "back"),
    ],
    showsKeys: true,
    draw: { $0.drawLab(on: &$1) },
    nextChange: { $0.dashboard.lab?.nextChange },
    perform: { _, action, _ in [.lab(.action(action))] })
}

extension Frame {
  /// Draws the page of the lab.
  fileprivate func drawLab(on canvas: inout Canvas) {
    guard let lab = dashboard.lab else { return }
    let area = layout.body
    let view = LabView(
      lab.page, width: area.width, isASCII: dashboard.options.isASCII,
      bindings: dashboard.bindings)
    view.draw(view.lines(area.height), on: &canvas, in: area, theme)
  }
}
