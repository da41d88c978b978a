import TerminalCore

@testable import Dashboard

extension LabPage {
  /// Returns the page drawn at a size.
  func canvas(_ size: Size, options: DisplayOptions) -> Canvas {
    let view = LabView(self, width: size.width, isASCII: options.isASCII, bindings: .standard)
    var canvas = Canvas(size)
    let theme = options.hasColor ? Theme.standard : Theme.mono
    view.draw(view.lines(size.height), on: &canvas, in: Rect(size), theme)
    if options.isASCII { canvas.reduceToASCII() }
    return canvas
  }
}
