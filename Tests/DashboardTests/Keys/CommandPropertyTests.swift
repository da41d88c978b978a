import Fuzzing
import TerminalCore
import Testing
import TimerBoardFixtures
import TimerKit

@testable import Dashboard
@testable import TimerBoard

/// A command has the same effect by a key, by the palette and by `carillon ctl`.
@Suite struct CommandPropertyTests {
  @Test func keyPaletteAndControlAgree() {
    let found = failures(
      sequences: 5_000, steps: 1..<4, setup: { RandomTimers(&$0) }, step: { CommandStep(&$0) },
      failure: { timers, steps in
        var users = WayOfCommands.allCases.map { User(timers, $0) }
        for step in steps {
          for index in users.indices { users[index].perform(step) }
          let boards = users.map(\.savedBoard)
          for (way, board) in zip(WayOfCommands.allCases, boards) where board != boards[0] {
            return "after \(step.verb), by \(way)\n\(board)\nby key\n\(boards[0])"
          }
        }
        return nil
      })
    #expect(found == [])
  }
}

private enum WayOfCommands: CaseIterable { case key, palette, control }

/// Timers without alerts, which give some keys another meaning.
private struct RandomTimers: Sendable, CustomStringConvertible {
  private static let timers = [
    "a=7s silent then b b=11s silent", "c=every 5s x3 silent", "d=every 3s silent",
    "e=cycle 4s/2s x2 silent", "g=stopwatch", "h=daily 14:30 silent", "j=debounce 2s silent",
    "k=throttle 3s silent", "m=idle 4s silent", "u=5s paused silent",
    "v=every 10s tolerance 2s silent",
  ].map { words in
    do {
      return (words, try TimerSpec.parse(arguments: [words]))
    } catch {
      preconditionFailure("\(words): \(error)")
    }
  }

  let words: String
  let specs: [TimerSpec]

  init(_ random: inout SplitMix) {
    var kept = Self.timers
    let timers = (0..<(1 + random.below(3))).map { _ in kept.remove(at: random.below(kept.count)) }
    words = timers.map(\.0).joined(separator: " ")
    specs = timers.flatMap(\.1)
  }

  var description: String { words }
}

private struct CommandStep: Sendable {
  /// The verbs with a key that needs no argument, and the key.
  private static let verbs: [(ControlVerb, Key)] = [
    (.toggle, .character("p")), (.restart, .character("r")), (.reset, .character("R")),
    (.fire, .character("f")), (.skip, .character("s")), (.lap, .character("c")),
    (.delete, .character("d")), (.undo, .character("u")), (.redo, .character("U")),
    (.mute, .character("b")),
  ]

  let verb: ControlVerb
  let key: Key
  /// The number of rows by which the selection moves first.
  let row: Int
  let time: Duration

  init(_ random: inout SplitMix) {
    (verb, key) = random.one(of: Self.verbs)
    row = random.below(3)
    time = .milliseconds(random.below(9_000))
  }
}

/// A dashboard with a board, and one way to command it.
private struct User {
  private let way: WayOfCommands
  private var clocks = ManualClocks()
  private var board = Board(seed: 1)
  private var dashboard = Dashboard(options: DisplayOptions(), size: Size(width: 80, height: 24))

  init(_ timers: RandomTimers, _ way: WayOfCommands) {
    self.way = way
    _ = dashboard.start(with: [.start(timers.specs)], on: &board, at: clocks.now)
  }

  var savedBoard: SavedBoard { SavedBoard(board, for: .session, at: clocks.now) }

  mutating func perform(_ step: CommandStep) {
    clocks.advance(by: step.time)
    repeat {
      dashboard.follow(board.advance(to: clocks.now), of: &board, at: clocks.now)
    } while board.isDue(at: clocks.now)
    // The prompt stays open after a refusal.
    if dashboard.scope == .prompt { press([.escape]) }
    press([.character("g")] + Array(repeating: .character("j"), count: step.row))
    switch way {
    case .key: press([step.key])
    case .palette:
      press([.character(":")] + step.verb.rawValue.map { .character($0) } + [.enter])
    case .control:
      let selected = min(step.row, board.timers.count - 1)
      let ids = selected < 0 ? [] : [board.timers[selected].id]
      // The key says that there is no timer, as `ctl` does before it asks the board.
      guard step.verb.form.target == .board || !ids.isEmpty,
        let command = try? step.verb.command(on: ids, "", of: board)
      else { return }
      dashboard.follow(board.perform(command, at: clocks.now), of: &board, at: clocks.now)
    }
  }

  private mutating func press(_ keys: [Key]) {
    for key in keys { _ = dashboard.update(.input(.key(key)), &board, at: clocks.now) }
  }
}
