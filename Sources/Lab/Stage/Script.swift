import TimerKit

/// What is put into a scene when nobody presses keys, as marbles: a character is a key, `-` is none.
struct Script: Sendable {
  /// The time that one character stands for.
  let cell: Duration
  let inputs: [(at: Duration, key: Character)]
  let length: Duration

  init(cell: Duration = .milliseconds(250), _ marbles: String) {
    self.cell = cell
    inputs = marbles.enumerated().filter { $0.element != "-" }.map {
      (cell * $0.offset, $0.element)
    }
    length = cell * marbles.count
  }
}
