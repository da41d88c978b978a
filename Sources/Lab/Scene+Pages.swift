import Dashboard
import TimerKit

extension Scene {
  /// Plays the script and returns the result as text. A scene on real time takes the time of the
  /// script.
  package func plainText(width: Int = 80, isASCII: Bool = false) -> String {
    var player = open()
    player.playToEnd()
    let snapshot = player.snapshot(at: TimerClock.suspending.now)
    return plainText(snapshot, width: width, isASCII: isASCII)
  }

  func plainText(_ snapshot: Snapshot, width: Int = 80, isASCII: Bool = false) -> String {
    var page = page(snapshot)
    page.status = nil
    return page.text(width: width, isASCII: isASCII)
  }

  /// The source code that the scene runs, unsafe code first.
  package var codeText: String {
    listings.map { listing in
      let warning = listing.isCounterexample ? "// DO NOT DO THIS: " : "// "
      return ([warning + listing.title] + listing.lines).joined(separator: "\n")
    }.joined(separator: "\n\n")
  }

  func page(_ snapshot: Snapshot, code: [LabCode] = []) -> LabPage {
    LabPage(
      title: name, about: about, status: snapshot.status, blocks: snapshot.blocks,
      explanation: [snapshot.lesson].compactMap(\.self) + explanation,
      legend: legend, terms: terms,
      keys: keys + snapshot.keys + [
        .init(.showCode, label: "code"), .init(.leave, label: "menu"), .init(.quit, label: "quit"),
        .init(.restartScene, label: "restart"), .init(.previousScene, .nextScene, label: "scenes"),
      ],
      code: code)
  }

  func codeFrame(_ listings: [SourceListing], scroll: Int) -> LabPage {
    LabPage(
      title: name, about: "source code",
      blocks: [.code(listings.map(\.code), scroll: scroll)],
      keys: [
        .init(.showCode, label: "scene"), .init(.up, .down, label: "scroll"),
        .init(.quit, label: "quit"),
      ])
  }
}
