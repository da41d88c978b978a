/// A command to the lab.
package enum LabCommand: Hashable, Sendable {
  /// Advances to the next event; in the menu, opens a scene.
  case step
  /// Plays the script to its end; in the scene `race`, repeats each race a hundred times.
  case playToEnd
  case faster, slower
  case pause
  /// Shows or hides the source code of the scene.
  case code
  /// Plays the scene from the start.
  case restart
  case up, down
  case nextScene, previousScene
  /// Opens the scene with a name.
  case open(String)
  /// Leaves the source code, the scene or the lab.
  case back
  /// A key of the scene.
  case input(Character)

  /// Creates the command of an action; `nil` if the action has none.
  init?(_ action: Action) {
    guard let command = Self.actions.first(where: { $0.action == action })?.command else {
      return nil
    }
    self = command
  }

  /// The action of the command; `nil` for a key of the scene and for a scene by its name.
  var action: Action? { Self.actions.first { $0.command == self }?.action }

  private static let actions: [(action: Action, command: LabCommand)] = [
    (.step, .step), (.playToEnd, .playToEnd), (.faster, .faster), (.slower, .slower),
    (.pauseScene, .pause), (.showCode, .code), (.restartScene, .restart), (.up, .up),
    (.down, .down),
    (.nextScene, .nextScene), (.previousScene, .previousScene), (.leave, .back),
  ]
}

/// The name of a scene of the lab and its subject.
package struct LabSceneTitle: Hashable, Sendable {
  package var name: String
  package var about: String

  package init(name: String, about: String) {
    self.name = name
    self.about = about
  }
}
