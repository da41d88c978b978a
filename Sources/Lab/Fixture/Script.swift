import Dashboard
import TimerKit

/// The input of a scene until the user presses a key of it, as a marble diagram: each character is
/// a key, and `-` is none.
struct Script: Sendable {
  let axis: LabLanes.Axis
  /// The duration of one character.
  let cell: Duration
  let inputs: [(at: Duration, key: Character)]
  let length: Duration

  init(
    axis: LabLanes.Axis = .seconds, cell: Duration = .milliseconds(250), _ marbles: String
  ) {
    self.axis = axis
    self.cell = cell
    inputs = marbles.enumerated().filter { $0.element != "-" }.map {
      (cell * $0.offset, $0.element)
    }
    length = cell * marbles.count
  }
}
