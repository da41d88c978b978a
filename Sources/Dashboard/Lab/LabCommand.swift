/// A command to the lab.
package enum LabCommand: Hashable, Sendable {
  /// An action of the lab, such as "step".
  case action(Action)
  /// Opens the scene with a name.
  case open(String)
  /// A key of the scene.
  case input(Character)
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
