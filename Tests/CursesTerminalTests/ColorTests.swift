import TerminalCore
import Testing

@testable import CursesTerminal

@Suite struct PaletteTests {
  @Test(arguments: [
    (0, 0), (7, 0), (8, 8), (15, 8), (16, 16), (88, 16), (256, 256), (1 << 24, 1 << 24),
    (1 << 15, 8),
  ])
  func roundsDownToACommonNumber(available: Int, colors: Int) {
    #expect(ColorPalette(availableColors: available).colors == colors)
  }

  @Test func withoutColorOnlyAttributesRemain() {
    let resolved = ColorPalette(availableColors: 0).resolve(
      Style(.red, on: .blue, [.bold, .reverse]))
    #expect(
      resolved
        == ColorPalette.ResolvedStyle(
          foreground: -1, background: -1, attributes: [.bold, .reverse]))
  }

  @Test func availableColorIsUnchanged() {
    for index in 0...255 as ClosedRange<UInt8> {
      let resolved = ColorPalette(availableColors: 256).resolve(Style(.indexed(index)))
      #expect(resolved.foreground == Int32(index))
      #expect(resolved.attributes == [])
    }
    #expect(ColorPalette.nearest(to: 196, among: 16) == 9)
    #expect(ColorPalette.nearest(to: 231, among: 16) == 15)
    #expect(ColorPalette.nearest(to: 16, among: 16) == 0)
  }

  @Test func directColorsAreSentAsTheyAre() {
    let palette = ColorPalette(availableColors: 1 << 24)
    let resolved = palette.resolve(Style(.rgb(0x1E, 0x1E, 0x2E), on: .indexed(231)))
    #expect(resolved.foreground == 0x1E1E2E && resolved.background == 0xFFFFFF)
    #expect(palette.resolve(Style(.red)).foreground == 1)
    // The terminal's own black is gray if it is bold.
    #expect(palette.resolve(Style(.rgb(0, 0, 3), on: .indexed(16))).foreground == 0x010101)
    #expect(palette.resolve(Style(.indexed(16), on: .indexed(16))).background == 0x010101)
    #expect(palette.resolve(.plain).foreground == -1)
  }

  @Test func otherTerminalsGetTheNearestColor() {
    let style = Style(.rgb(0xFF, 0xFF, 0xFE), on: .rgb(0x01, 0x01, 0x01))
    let resolved = ColorPalette(availableColors: 256).resolve(style)
    #expect(resolved.foreground == 231 && resolved.background == 16)
    #expect(ColorPalette(availableColors: 8).resolve(style).background == 0)
  }

  /// The nearest of the 256 colors by their parts alone is often a gray.
  @Test func subduedColorsKeepTheirHue() {
    let palette = ColorPalette(availableColors: 256)
    // The purple, the yellow and the blue of Nord.
    #expect(palette.resolve(Style(.rgb(0xC4, 0xA6, 0xBD))).foreground == 182)
    #expect(palette.resolve(Style(.rgb(0xEB, 0xCB, 0x8B))).foreground == 222)
    #expect(palette.resolve(Style(.rgb(0x88, 0xC0, 0xD0))).foreground == 109)
  }

  @Test func brightColorsAreBoldWithEightColors() {
    let palette = ColorPalette(availableColors: 8)
    #expect(palette.resolve(Style(.indexed(9))).foreground == 1)
    #expect(palette.resolve(Style(.indexed(9))).attributes == .bold)
    #expect(palette.resolve(Style(.indexed(46))).foreground == 2)
    #expect(palette.resolve(Style(.standard, on: .indexed(12))).background == 4)
  }

  /// A gray must be visible on black and on white.
  @Test func graysUseTheTerminalsOwnColorWithEightColors() {
    let palette = ColorPalette(availableColors: 8)
    #expect(palette.resolve(Style(.indexed(240))).foreground == -1)
    #expect(palette.resolve(Style(.indexed(240))).attributes == .dim)
    #expect(palette.resolve(Style(.indexed(8))).attributes == .dim)
    #expect(palette.resolve(Style(.indexed(252))).attributes == [])
    // On a colored background the terminal's own color can be the color of the background.
    #expect(palette.resolve(Style(.indexed(240), on: .white)).foreground == 0)
    #expect(palette.resolve(Style(.indexed(15), on: .black)).foreground == 7)
  }

  @Test(arguments: [8, 16]) func textStaysReadable(colors: Int) {
    let palette = ColorPalette(availableColors: colors)
    let every = 0...255 as ClosedRange<UInt8>
    let unreadable = every.flatMap { foreground in
      every.filter { background in
        let resolved = palette.resolve(Style(.indexed(foreground), on: .indexed(background)))
        let isKnown =
          resolved.foreground < colors && (0..<Int32(colors)).contains(resolved.background)
        return !isKnown || (resolved.foreground == resolved.background && foreground != background)
      }.map { (foreground, $0) }
    }
    #expect(unreadable.isEmpty)
  }
}

extension TerminalSuite {
  @Suite @MainActor struct Capabilities {
    @Test(arguments: [
      ("xterm-256color", 256, true), ("tmux-256color", 256, true), ("screen", 8, true),
      ("linux", 8, true), ("xterm", 8, true), ("rxvt", 8, true), ("vt100", 0, false),
      ("vt220", 0, false), ("ansi", 8, false),
    ])
    func matchTheTerminalType(type: String, colors: Int, hasMouse: Bool) async throws {
      let session = try Session(type: type)
      let terminal = try session.terminal
      #expect(terminal.colors == colors)
      #expect(terminal.hasMouse == hasMouse)
      #expect(terminal.isUTF8)
      // All styles, so that a terminal with few color pairs runs out of them.
      var canvas = Canvas(Size(width: 80, height: 24))
      for index in 0..<(80 * 24) {
        let colors = (Color.indexed(UInt8(index % 256)), Color.indexed(UInt8(index / 7 % 256)))
        canvas.write(
          "x", x: index % 80, y: index / 80,
          style: Style(colors.0, on: colors.1, .init(rawValue: UInt8(index % 64))))
      }
      try session.terminal.present(canvas)
      try session.terminal.ring()
      try await eventually {
        session.pty.read()
        return session.pty.output.last == 0x07
      }
      let isColored = session.pty.text.contains(/\u{1B}\[([0-9;]*;)?[34][0-7][;m]/)
      #expect(isColored == (colors > 0))
      #expect(session.pty.text.count { $0 == "x" } >= 80 * 24 / 2)
    }

    @Test func withoutColorNoColorIsSent() async throws {
      let pty = try Pty()
      var options = pty.options()
      options.usesColor = false
      let session = try Session(pty, options)
      #expect(try session.terminal.colors == 0)
      var canvas = Canvas(Size(width: 80, height: 24))
      canvas.write("tea", x: 0, y: 0, style: Style(.red, on: .blue, .bold))
      try await session.present(canvas)
      #expect(session.screen.canvas[0][0] == Cell("t", style: Style.plain.adding(.bold)))
    }

    @Test func withoutTheMouseItIsNotEnabled() async throws {
      let pty = try Pty()
      var options = pty.options()
      options.usesMouse = false
      let session = try Session(pty, options)
      #expect(try !session.terminal.hasMouse)
      try await session.present(Canvas(Size(width: 80, height: 24)))
      #expect(!pty.text.contains("?1000h"))
    }

    @Test(arguments: ["C", "POSIX", "en_US.ISO-8859-1"])
    func otherEncodingsGetASCIIOnly(locale: String) async throws {
      let pty = try Pty()
      let session = try Session(pty, pty.options(locale: locale))
      #expect(try !session.terminal.isUTF8)
      var canvas = Canvas(Size(width: 80, height: 24))
      canvas.write("─│┌ naïve… 日本 █▎░ e\u{301} ⏰!", x: 0, y: 0)
      try await session.present(canvas)
      #expect(pty.output.allSatisfy { $0 < 0x80 })
      #expect(session.screen.lines[0] == "-|+ na?ve. ? ?  #.. e ? !")
    }

    @Test(arguments: ["C.UTF-8", "C.utf8", "xx_XX.UTF-8", "xx_XX.utf8"])
    func utf8GetsAllCharacters(locale: String) async throws {
      let pty = try Pty()
      let session = try Session(pty, pty.options(locale: locale))
      #expect(try session.terminal.isUTF8)
      var canvas = Canvas(Size(width: 80, height: 24))
      canvas.write("─│┌ naïve… 日本 █▎░ e\u{301} ⏰!", x: 0, y: 0)
      try await session.present(canvas)
      #expect(session.screen.lines[0] == canvas.lines[0])
    }

    /// Curses draws every character with the width in the canvas, also those that the C library
    /// does not know.
    @Test func charactersUnknownToTheCLibraryKeepTheirPosition() async throws {
      let session = try Session(Size(width: 80, height: 3))
      var canvas = Canvas(Size(width: 80, height: 3))
      canvas.write("a\u{2630}b\u{1FAEA}c\u{378}d\u{1CF0}e\u{897}f", x: 0, y: 1)
      try await session.present(canvas)
      for x in 0..<80 where canvas[x, 1].base?.isASCII == true {
        #expect(session.screen.canvas[1][x].base == canvas[x, 1].base)
      }
    }
  }
}
