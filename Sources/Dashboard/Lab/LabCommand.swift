/// What can be asked of the lab.
package enum LabCommand: Hashable, Sendable {
  /// To the next thing that happens; in the menu: opens the scene.
  case step
  /// To the end of the script; in a race, a hundred runs.
  case hundred
  case faster, slower
  case pause
  /// Shows the code of the scene, or the scene again.
  case code
  /// From the start.
  case again
  case up, down
  case nextScene, previousScene
  /// Out of the code, out of the scene, out of the lab.
  case back
  /// A key of the scene's own.
  case input(Character)

  /// What an action asks of the lab, if anything.
  init?(_ action: Action) {
    guard let command = Self.actions.first(where: { $0.action == action })?.command else {
      return nil
    }
    self = command
  }

  /// What asks for it; `nil` for a scene's own key.
  var action: Action? { Self.actions.first { $0.command == self }?.action }

  private static let actions: [(action: Action, command: LabCommand)] = [
    (.step, .step), (.hundred, .hundred), (.faster, .faster), (.slower, .slower),
    (.pauseScene, .pause), (.showCode, .code), (.playAgain, .again), (.up, .up), (.down, .down),
    (.nextScene, .nextScene), (.previousScene, .previousScene), (.leave, .back),
  ]
}
