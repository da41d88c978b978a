import TerminalCore

/// Draws a ``LabPage``, line by line.
///
/// Every scene has the same blocks at the same height: the picture, what goes wrong, and what to write. A higher screen
/// has the explanation and the code below them; on every screen, a key shows the whole text.
struct LabView {
  let page: LabPage
  /// The width of the lines, between the margins.
  let width: Int
  let symbols: Symbols
  let bindings: Bindings
  /// True if the screen has little height, so that bars are numbers.
  private(set) var isLow = false
  /// The width of the margins at both sides; 0 on a narrow screen.
  private let inset: Int

  init(_ page: LabPage, width: Int, isASCII: Bool, bindings: Bindings) {
    self.page = page
    inset = width >= 60 ? 1 : 0
    self.width = max(1, width - 2 * inset)
    self.bindings = bindings
    symbols = isASCII ? .ascii : .unicode
  }

  /// Creates the view of a page inside of another one.
  init(_ page: LabPage, innerWidth: Int, _ outer: LabView) {
    (self.page, inset, width) = (page, 0, max(1, innerWidth))
    (bindings, symbols) = (outer.bindings, outer.symbols)
  }

  func draw(_ lines: [TextLine], on canvas: inout Canvas, in area: Rect, _ theme: Theme) {
    for (y, line) in lines.enumerated() {
      line.draw(on: &canvas, x: area.x + inset, y: area.y + y, theme: theme, limit: width)
    }
  }

  /// Returns the page as `height` lines, with its keys at the bottom.
  func lines(_ height: Int) -> [TextLine] {
    let keys = keyRows(inHeight: height).map(line)
    let room = max(0, height - keys.count)
    let content =
      if let menu = page.menu {
        menuLines(of: menu, height: room)
      } else if let offset = page.textOffset {
        textLines(room, from: offset)
      } else {
        sceneLines(room)
      }
    return Array(content.prefix(room)) + blanks(room - content.count) + keys
  }

  private func keyRows(inHeight height: Int) -> [[KeyEntry]] {
    keyRows(atMost: height < 4 ? 0 : height < 16 ? 1 : 2)
  }

  /// Returns what a click at a point of the page does; `nil` for nothing.
  func clickTarget(at point: Point, height: Int) -> Frame.ClickTarget? {
    let place = Point(x: point.x - inset, y: point.y)
    let rows = keyRows(inHeight: height)
    let top = height - rows.count
    guard place.y >= top else { return scene(at: place, height: top).map { .lab(.choose($0)) } }
    return rows[place.y - top].lazy.compactMap { $0.key(at: place.x, symbols) }.first
      .map { .key($0) }
  }

  /// All lines of a scene, as high as needed, with the list of keys at the end.
  var allLines: [TextLine] {
    let picture = page.lanes.map { pictureLines(of: $0, height: nil) } ?? []
    return joined(
      [[headLine], picture] + [wrongLines(codeHeight: .max), writeLines()]
        + [explanationLines(width), termLines(width), keyListLines])
  }

  /// Returns the picture and the two blocks, each from its own line on, and below them the explanation and the code if
  /// there is room for them.
  func sceneLines(_ height: Int) -> [TextLine] {
    var view = self
    view.isLow = height < 28
    return view.placedLines(height)
  }

  private func placedLines(_ height: Int) -> [TextLine] {
    let rest = max(0, height - 1)
    let least = 1 + (page.lanes?.lanes.count ?? 0)
    // Half of the height, or on a low screen what the lanes need.
    let pictureHeight = min(rest, max(min(22, (rest + 1) / 2), least))
    var lines = [headLine]
    let picture = page.lanes.map { pictureLines(of: $0, height: pictureHeight) } ?? []
    lines += picture + blanks(pictureHeight - picture.count)
    let write = writeLines()
    let below = height - lines.count
    // A blank line is between two blocks if the code to write then still fits.
    let wrong = fitted(wrongLines, in: below - 1 - min(write.count, max(5, below / 3)))
    let wrongHeight = max(wrong.count + (isLow ? 0 : 1), min(7, below / 4))
    lines += wrong + blanks(wrongHeight - wrong.count) + write
    for part in [whyLines(width), termLines(width)] where !part.isEmpty {
      if lines.count + 1 + part.count <= height { lines += [TextLine()] + part }
    }
    if lines.count + 8 <= height { lines += [TextLine()] + self.lines(of: page.code) }
    return Array(lines.prefix(height))
  }

  /// Returns the block of the fault with as much of its code as fits.
  private func fitted(_ block: (Int) -> [TextLine], in height: Int) -> [TextLine] {
    let limits = stride(from: max(0, min(12, height)), through: 0, by: -1)
    return limits.lazy.map(block).first { $0.count <= height } ?? block(0)
  }

  /// Returns the whole text of a scene and its source code, scrolled.
  private func textLines(_ height: Int, from offset: Int) -> [TextLine] {
    let text = joined([
      wrongLines(codeHeight: .max), writeLines(), whyLines(width), legendLines, termLines(width),
      lines(of: page.code),
    ])
    let room = max(0, height - 2)
    let rest = text.dropFirst(min(offset, max(0, text.count - room))).prefix(room)
    return [headLine] + (height >= 2 ? [TextLine()] : []) + rest
  }

  private func blanks(_ count: Int) -> [TextLine] {
    Array(repeating: TextLine(), count: max(0, count))
  }

  /// Joins parts with a blank line between two.
  private func joined(_ parts: [[TextLine]]) -> [TextLine] {
    Array(parts.filter { !$0.isEmpty }.joined(separator: [TextLine()]))
  }
}

extension LabPage {
  /// Returns the whole page as text, as high as needed, with the scene's own keys only.
  package func text(width: Int, isASCII: Bool = false) -> String {
    var page = self
    page.keys.removeAll { !$0.isInput }
    let view = LabView(page, width: width, isASCII: isASCII, bindings: .standard)
    let lines = view.allLines
    let size = Size(width: width, height: lines.count)
    var canvas = Canvas(size)
    view.draw(lines, on: &canvas, in: Rect(size), .mono)
    if isASCII { canvas.reduceToASCII() }
    return canvas.text
  }
}

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
      Binding([.right, "l"], .nextScene, "next scene or column"),
      Binding([.left, "h"], .previousScene, "previous scene or column"),
      Binding([.escape], .leave, "back"),
    ],
    showsKeys: true,
    draw: { $0.drawLab() },
    nextChange: { $0.dashboard.lab?.nextChange },
    perform: { _, action, _ in [.lab(.action(action))] })
}

extension Dashboard {
  /// The keys of the open scene itself, for the help; none outside of the lab.
  var sceneKeys: [(term: String, meaning: String)] {
    guard view == .lab, let page = lab?.page else { return [] }
    return page.keys.compactMap { hint in
      guard case .input(let key)? = hint.commands.first else { return nil }
      return (String(key), "\(hint.label) (this scene)")
    }
  }
}

extension Frame {
  /// Draws the page of the lab.
  fileprivate func drawLab() {
    guard let view = labView else { return }
    view.draw(view.lines(layout.body.height), on: &canvas, in: layout.body, theme)
  }

  private var labView: LabView? {
    guard dashboard.view == .lab, let lab = dashboard.lab else { return nil }
    return LabView(
      lab.page, width: layout.body.width, isASCII: dashboard.options.isASCII,
      bindings: dashboard.bindings)
  }

  /// Returns what a click on the page of the lab does.
  func labTarget(at point: Point) -> ClickTarget? {
    guard let view = labView, layout.body.contains(point) else { return nil }
    let place = Point(x: point.x - layout.body.x, y: point.y - layout.body.y)
    return view.clickTarget(at: place, height: layout.body.height)
  }
}
