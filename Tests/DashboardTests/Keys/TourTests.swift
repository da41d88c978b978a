import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The guided tour, played on virtual clocks.
struct TourTests {
  /// The tour shows each mode and kind doing what is characteristic of it, without a refused key, in two minutes.
  @Test func showsEveryKindAtWork() throws {
    let fixture = try Fixture(width: 100, height: 30)
    let tour = Tour(at: fixture.now)
    #expect(tour.events.reduce(.zero) { $0 + $1.after } < .seconds(150))
    // It ends the player, which plays nothing after it.
    #expect(tour.events.last?.event == .caption(nil))
    var failures: [String] = []
    for (after, event) in tour.events {
      fixture.advance(by: after)
      switch event {
      case .caption(let caption): fixture.send(.caption(caption))
      case .press(let key): fixture.press(key)
      }
      if let notice = fixture.dashboard.notice, notice.isFailure { failures.append(notice.text) }
    }
    #expect(failures.isEmpty)
    #expect(fixture.dashboard.caption == nil && fixture.dashboard.view == .lab)
    let rows = fixture.dashboard.rows.all
    let kinds = Set(rows.map { $0.spec.kind.family.keyword })
    #expect(kinds == Set(Keyword.allCases).subtracting([.weekdays]))
    let counts = Dictionary(uniqueKeysWithValues: rows.map { ($0.label, $0.counts.delivered) })
    #expect(counts["tea"] == 1 && counts["call"] == 1)
    #expect(["save", "flush", "away"].allSatisfy { counts[$0] == 1 }, "\(counts)")
    #expect(["sets", "pulse", "drill", "scroll"].allSatisfy { counts[$0] ?? 0 > 1 }, "\(counts)")
  }

  /// A caption has its own lines; the footer stays.
  @Test(arguments: [(80, 24), (120, 36), (40, 10)])
  func drawsTheCaption(_ width: Int, _ height: Int) throws {
    let fixture = try Fixture("tea=3m", width: width, height: height)
    let before = fixture.lines
    fixture.send(
      .caption(Tour.Caption(text: "Once: a countdown.", step: 1, count: 19, keys: [.space])))
    let lines = fixture.lines
    #expect(lines[height - 2].contains("tour 1/19") && lines[height - 2].contains("Space"))
    #expect(lines[height - 1].contains("Once: a countdown."))
    fixture.send(.caption(nil))
    #expect(fixture.lines == before)
  }

  /// The prompt that the script has opened closes when the user takes over.
  @Test func theUserTakesTheBoardOver() throws {
    let fixture = try Fixture()
    fixture.send(.caption(Tour.Caption(text: "Once", step: 1, count: 19)))
    fixture.type("a te")
    fixture.send(.caption(nil))
    #expect(fixture.dashboard.scope == .board && fixture.dashboard.rows.isEmpty)
  }

  /// Every caption fits on the narrowest standard screen.
  @Test func everyCaptionFits() throws {
    for (_, event) in Tour(at: try Fixture().now).events {
      if case .caption(let caption?) = event {
        #expect(caption.text.cellWidth <= 78, "\(caption.text)")
      }
    }
  }
}
