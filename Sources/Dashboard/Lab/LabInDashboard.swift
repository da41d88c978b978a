import TerminalCore

extension DashboardView {
  static let lab = DashboardView(
    scope: .lab, key: "4", action: .showLab,
    bindings: [
      Binding([.enter, "."], .step, "open scene / next event"),
      Binding(["p", .space], .pauseScene, "pause / resume"),
      Binding(["+", "="], .faster, "speed up (to ×100)"),
      Binding(["-", "_"], .slower, "slow down (to 1/10)"),
      Binding(["X"], .playToEnd, "play to end"),
      Binding(["c"], .showCode, "show / hide code"),
      Binding(["r", .backspace], .restartScene, "restart scene"),
      Binding([.up, "k"], .up, "move up"),
      Binding([.down, "j"], .down, "move down"),
      Binding([.right], .nextScene, "next scene"),
      Binding([.left], .previousScene, "previous scene"),
      Binding([.escape], .leave, "back"),
    ],
    showsKeys: true,
    draw: { $0.drawLab() },
    nextChange: { $0.dashboard.lab?.nextChange },
    perform: { _, action, _ in [.lab(.action(action))] })
}

extension Frame {
  /// Draws the page of the lab.
  fileprivate func drawLab() {
    guard let lab = dashboard.lab else { return }
    let area = layout.body
    let view = LabView(
      lab.page, width: area.width, isASCII: dashboard.options.isASCII,
      bindings: dashboard.bindings)
    view.draw(view.lines(area.height), on: &canvas, in: area, theme)
  }
}
