import TerminalCore
import Testing

@testable import CursesTerminal

/// Control sequences for notifications.
struct NotificationSequenceTests {
  private static let forms: [NotificationSequence.Form] = [.osc9, .osc777]
  private static let multiplexers: [NotificationSequence.Multiplexer] = [.none, .tmux, .screen]

  @Test(
    arguments: [
      (.init(.osc9), "\u{1B}]9;tea: finished\u{7}"),
      (.init(.osc777), "\u{1B}]777;notify;tea;finished\u{7}"),
      (.init(.osc9, through: .tmux), "\u{1B}Ptmux;\u{1B}\u{1B}]9;tea: finished\u{7}\u{1B}\\"),
      (.init(.osc777, through: .screen), "\u{1B}P\u{1B}]777;notify;tea;finished\u{7}\u{1B}\\"),
    ] as [(NotificationSequence, String)])
  func bytes(sequence: NotificationSequence, text: String) {
    #expect(String(decoding: sequence.bytes(title: "tea", text: "finished"), as: UTF8.self) == text)
  }

  @Test(
    arguments: [
      ([:], .init(.osc9)), (["TERM": "xterm-256color"], .init(.osc9)),
      (["TERM": "rxvt-unicode-256color"], .init(.osc777)), (["TERM": "foot"], .init(.osc777)),
      (["TERM": "xterm-256color", "VTE_VERSION": "7200"], .init(.osc777)),
      (["TERM": "screen-256color", "TMUX": "/tmp/t,1,0"], .init(.osc9, through: .tmux)),
      (["TERM": "tmux-256color"], .init(.osc9, through: .tmux)),
      (["TERM": "screen"], .init(.osc9, through: .screen)),
      (["TERM": "xterm", "STY": "1.tty", "TMUX": ""], .init(.osc9, through: .screen)),
    ] as [([String: String], NotificationSequence)])
  func sequenceForAnEnvironment(environment: [String: String], sequence: NotificationSequence) {
    #expect(NotificationSequence(environment: environment) == sequence)
  }

  /// The texts add no control characters to the sequence.
  @Test func textsCannotEndTheSequence() {
    let controls = (Array(0..<0x20) + Array(0x7F..<0xA0) as [UInt32]).compactMap(
      Unicode.Scalar.init)
    let texts =
      controls.map { "a\($0)b;\($0)c" }
      + ["$(touch pwned) \u{1B}]52;c;cHduZWQ=\u{7}", "4;1;50", "\u{1B}\\", "\u{9C};\u{301}x"]
    func bare(_ bytes: [UInt8]) -> [Unicode.Scalar] {
      String(decoding: bytes, as: UTF8.self).unicodeScalars
        .filter { $0.properties.generalCategory == .control || $0 == ";" }
    }
    for form in Self.forms {
      for multiplexer in Self.multiplexers {
        let sequence = NotificationSequence(form, through: multiplexer)
        let frame = bare(sequence.bytes(title: "", text: ""))
        for text in texts { #expect(bare(sequence.bytes(title: text, text: text)) == frame) }
        let long = String(repeating: "日本", count: 500)
        #expect(sequence.bytes(title: long, text: long).count <= 256)
      }
    }
  }
}

extension TerminalSuite {
  @Suite @MainActor struct Notifications {
    @Test(arguments: [("xterm-256color", true), ("vt100", false)])
    func xtermLikeTerminalsGetNotifications(type: String, isSent: Bool) async throws {
      let session = try Session(type: type)
      try await session.present(Canvas(Size(width: 80, height: 24)))
      try session.terminal.notify(title: "tea", text: "finished", by: .init(.osc9))
      try await session.drainOutput()
      #expect(session.pty.text.contains("\u{1B}]9;tea: finished\u{7}") == isSent)
      session.pty.clear()
      try session.terminal.close()
      try session.terminal.notify(title: "tea", text: "finished", by: .init(.osc9))
      session.pty.read()
      #expect(!session.pty.text.contains("tea"))
    }

    /// A name in the title adds no control characters, also where UTF-8 is another encoding.
    @Test(arguments: [
      ("xterm-256color", "C.UTF-8", "tëa ]0;x rings"), ("xterm-256color", "C", "ta ]0;x rings"),
      ("tmux-256color", "C.UTF-8", "tëa ]0;x rings"), ("vt100", "C.UTF-8", nil),
    ])
    func theTitleIsSetAndRestored(type: String, locale: String, title: String?) async throws {
      let pty = try Pty()
      var options = pty.options(type, locale: locale)
      options.setsTitle = true
      let session = try Session(pty, options)
      try session.terminal.setTitle("tëa\u{1B}]0;x\u{7} rings")
      pty.read()
      #expect(pty.output.isEmpty)
      try await session.present(Canvas(Size(width: 80, height: 24)))
      let (saved, set) = ("\u{1B}[22;2t", "\u{1B}]2;\(title ?? "")\u{1B}\\")
      #expect(pty.text.contains(saved) == (title != nil))
      #expect(pty.text.contains(set) == (title != nil))
      // The same title is not sent again.
      try session.terminal.setTitle("tëa\u{1B}]0;x\u{7} rings")
      try await session.drainOutput()
      #expect(!pty.text.contains("\u{1B}]2;"))
      pty.clear()
      try session.terminal.close()
      pty.read()
      #expect(pty.text.contains("\u{1B}]2;\u{1B}\\\u{1B}[23;2t") == (title != nil))
    }

    /// GNU screen cannot restore a title.
    @Test(arguments: [
      (["TERM": "screen"], false), (["TERM": "xterm", "STY": "1.tty"], false),
      (["TERM": "screen-256color", "TMUX": "/tmp/t,1,0"], true), (["TERM": "linux"], false),
      (["TERM": "xterm-kitty"], true), ([:], false),
    ])
    func terminalsWithATitle(environment: [String: String], hasTitle: Bool) {
      var options = CursesTerminal.Options(environment: environment)
      #expect(!options.hasTitle)
      options.setsTitle = true
      #expect(options.hasTitle == hasTitle)
    }

    /// A terminal that stops reading gets one bell afterwards. The byte that ends a notification is no bell.
    @Test func bellsOfAStalledTerminalAreMerged() async throws {
      let size = Size(width: 80, height: 24)
      let session = try Session(size)
      var canvas = Canvas(size)
      try await session.present(canvas)
      session.pty.clear()
      session.pty.fillBuffer()
      try session.terminal.notify(title: "tea", text: "finished", by: .init(.osc9))
      for _ in 0..<10 { try session.terminal.ring() }
      canvas.write("egg", x: 4, y: 2)
      try session.terminal.present(canvas)
      try await eventually {
        session.pty.read()
        return session.pty.text.contains("egg")
      }
      #expect(session.pty.text.contains("\u{1B}]9;tea: finished\u{7}\u{7}"))
      #expect(session.pty.output.count(where: { $0 == 0x07 }) == 2)
      try session.terminal.ring()
      try await eventually {
        session.pty.read()
        return session.pty.output.count(where: { $0 == 0x07 }) == 3
      }
    }
  }
}
