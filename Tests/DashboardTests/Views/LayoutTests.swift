import TerminalCore
import Testing
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// The areas of the screen, for any number of timers at any size.
@Suite struct LayoutTests {
  private static func fixture(_ count: Int, _ keys: String) throws -> Fixture {
    let line = (0..<count).map { "t\($0)=\($0 + 1)m" }.joined(separator: " ")
    let fixture = try Fixture(line, width: 120, height: 36)
    fixture.dashboard.boardLayout = .rows
    fixture.type(keys)
    return fixture
  }

  /// All widths at which anything can change, and some between them.
  private static let widths =
    [20, 31, 32, 33, 39, 40, 41, 59, 60, 80, 96, 97, 98, 99, 120, 159, 160, 161, 199, 200]

  private static func panes(_ layout: ScreenLayout) -> [String: Rect] {
    [
      "next": layout.upcoming, "detail": layout.detail, "log": layout.log, "axis": layout.axis,
      "legend": layout.legend, "skyline": layout.skyline,
    ].compactMapValues(\.self)
  }

  /// A pane that has room beside more timers has it beside fewer. No area is outside of the screen, no box is cut, and no
  /// two areas overlap.
  @Test(arguments: ["1", "3"]) func panesHaveRoom(in view: String) throws {
    // The panes beside one timer more, by the size.
    var before: [Size: Set<String>] = [:]
    for count in (1...40).reversed() {
      var dashboard = try Self.fixture(count, view).dashboard
      for width in 20...200 {
        for height in 5...60 {
          let size = Size(width: width, height: height)
          dashboard.size = size
          let layout = ScreenLayout(of: dashboard)
          let panes = Self.panes(layout)
          let names = Set(panes.keys)
          guard before[size]?.isSubset(of: names) ?? true else {
            Issue.record("\(size), \(count) timers: \(names), one more: \(before[size] ?? [])")
            return
          }
          before[size] = names
          let areas = Array(panes.values) + [layout.body]
          let isInside = areas.allSatisfy { $0.intersection(Rect(size)) == $0 }
          let isWhole = [layout.upcoming, layout.detail, layout.log].allSatisfy {
            $0.map { $0.height >= 3 && $0.width >= 10 } ?? true
          }
          let isApart = areas.indices.allSatisfy { index in
            areas[..<index].allSatisfy { $0.intersection(areas[index]).isEmpty }
          }
          guard isInside, isWhole, isApart, layout.body.height >= 1 else {
            Issue.record("\(size), \(count) timers: \(panes), rows \(layout.body)")
            return
          }
        }
      }
    }
  }

  /// Each box has its four corners on the screen.
  @Test(arguments: [0, 1, 2, 7, 8, 9, 20, 40], ["1", "3"])
  func boxesAreClosed(_ count: Int, _ view: String) throws {
    let fixture = try Self.fixture(count, view)
    for (width, height) in [(20, 5), (40, 12), (80, 24), (98, 30), (120, 36), (159, 50), (200, 60)]
    {
      fixture.send(.resized(Size(width: width, height: height)))
      let text = fixture.frame.text
      let corners = ["╭", "╮", "╰", "╯"].map { corner in text.count { String($0) == corner } }
      #expect(Set(corners).count == 1, "\(width)×\(height): \(text)")
    }
  }

  /// With one timer more or less, no pane appears or disappears on a usual screen.
  @Test func panesStay() throws {
    for count in 1..<9 {
      let layout = ScreenLayout(of: try Self.fixture(count, "1").dashboard)
      #expect(layout.upcoming != nil && layout.detail != nil && layout.log != nil, "\(count)")
      #expect(layout.detail?.maxY == layout.log?.maxY)
    }
  }

  /// The lanes of what is next are those of the rows that match the filter.
  @Test func lanesFollowTheFilter() throws {
    let fixture = try Fixture("tea=3m teapot=4m sets=every 45s x8 nap=9m", width: 120, height: 36)
    fixture.type("/tea")
    fixture.press(.enter)
    let area = try #require(ScreenLayout(of: fixture.dashboard).upcoming)
    let lanes = fixture.lines[area.y..<area.maxY].joined()
    #expect(lanes.contains("teapot") && !lanes.contains("sets") && !lanes.contains("nap"))
    #expect(!lanes.contains("more") && !lanes.contains("later"))
  }

  /// With room for one lane, it is that of the timer that the user waits for.
  @Test func aLaneIsForWhatTheUserWaitsFor() throws {
    let others = (0..<12).map { " w\($0)=every \($0 + 2)s" }.joined()
    let fixture = try Fixture("blink=every 2s tea=2h\(others)", width: 80, height: 24)
    let area = try #require(ScreenLayout(of: fixture.dashboard).upcoming)
    #expect(fixture.lines[area.y + 1].contains("tea"), "\(fixture.frame.text)")
  }
}
