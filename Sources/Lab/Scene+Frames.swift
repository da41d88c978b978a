import Dashboard
import TimerKit

extension Scene {
  /// What can be read of it: its picture after its script, as text. A scene on real time takes the
  /// time it takes.
  package func plainText(width: Int = 80, isASCII: Bool = false) -> String {
    var performance = open()
    performance.playOut()
    let picture = performance.picture(at: TimerClock.suspending.now)
    return plainText(picture, width: width, isASCII: isASCII)
  }

  func plainText(_ picture: Picture, width: Int = 80, isASCII: Bool = false) -> String {
    var frame = frame(picture)
    frame.status = nil
    return frame.text(width: width, isASCII: isASCII)
  }

  /// The source of what it runs, the unsafe forms first.
  package var codeText: String {
    exhibits.map { exhibit in
      let warning = exhibit.isUnsafe ? "// DO NOT DO THIS: " : "// "
      return ([warning + exhibit.title] + exhibit.lines).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  func frame(_ picture: Picture) -> LabFrame {
    LabFrame(
      title: id, about: about, status: picture.status, blocks: picture.blocks, look: look,
      legend: legend,
      keys: keys + picture.keys + [
        .init(.code, label: "code"), .init(.back, label: "menu"), .init(.quit, "quit"),
        .init(.again, label: "again"), .init(.previousScene, .nextScene, label: "scenes"),
      ])
  }

  func codeFrame(_ exhibits: [Exhibit], scroll: Int) -> LabFrame {
    LabFrame(
      title: id, about: "the code of it",
      blocks: [.code(exhibits.map(\.code), scroll: scroll)],
      keys: [
        .init(.code, label: "the scene"), .init(.up, .down, label: "scroll"), .init(.quit, "quit"),
      ])
  }
}
