import Foundation
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// `carillon-protocol(7)` describes every request, member and event.
struct ProtocolPageTests {
  private let page: String

  init() throws {
    let file = repository.appendingPathComponent("packaging/carillon-protocol.7")
    page = try String(contentsOf: file, encoding: .utf8).replacing("\\-", with: "-")
  }

  /// Returns true if the page has a word in bold.
  private func describes(_ word: String) -> Bool {
    page.split(separator: "\n").contains { line in
      [".B ", ".BR "].contains { line.hasPrefix($0) }
        && line.split { !($0.isLetter || $0 == "-") }.dropFirst().contains { $0 == word }
    }
  }

  @Test func everyRequestIsDescribed() {
    for verb in ControlVerb.allCases { #expect(describes(verb.rawValue), "\(verb)") }
    for service in ControlRequest.Service.allCases {
      #expect(describes(service.rawValue), "\(service)")
    }
    #expect(page.contains("the number \(ControlRequest.version)."))
    #expect(page.contains("\(ControlRequest.sizeLimit / 1024) KiB"))
  }

  @Test func everyEventIsDescribed() {
    for event in Transition.Event.allCases { #expect(describes(event.rawValue), "\(event)") }
    for state in TimerState.allCases { #expect(describes("\(state)"), "\(state)") }
  }

  @Test func everyMemberIsDescribed() throws {
    var request = ControlRequest(ControlVerb.more.rawValue)
    (request.timers, request.selection, request.value) = (["tea"], .next, "1m")
    request.wait = false
    let now = ClockReading.now()
    var response = ControlResponse.success("done")
    var owner = SessionOwner(.board, file: "/main.json", at: now)
    (owner.terminal, response.error) = ("/dev/pts/3", "error")
    (response.warning, response.lastEvent, response.events) = ("not saved", 1, "{}\n")
    response.feed = "a"
    response.owner = owner
    var board = Board()
    let change = board.perform(
      .start(
        try TimerSpec.parse(arguments: ["tea=3m group box\nsw=stopwatch\nsets=cycle 2s/1s x4"])),
      at: now)
    var session = SessionFile(board, for: .list, at: now)
    var chain = ChainState()
    (chain.roundsDone, chain.totalRoundsDone, chain.isSnoozed) = (1, 2, true)
    chain.head = TimerID(1)
    session.board.timers[0].chain = chain
    session.board.timers[0].hasAlert = true
    response.session = session
    var lines = [request.jsonLine, response.jsonLine]
    for transition in change.transitions {
      lines.append(Array(EventText(transition, at: now).json().utf8))
    }
    let members = lines.flatMap { line in
      String(decoding: line, as: UTF8.self).matches(of: /"([A-Za-z]+)":/).map { String($0.1) }
    }
    #expect(Set(members).count > 20, "\(Set(members))")
    for member in Set(members) { #expect(describes(member), "\(member)") }
    // Those of a fire.
    for member in ["iteration", "remaining", "missed", "latenessMs", "scheduled"] {
      #expect(describes(member), "\(member)")
    }
  }
}
