public import TerminalCore

/// What can be asked of the lab.
public enum LabCommand: Hashable, Sendable {
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

  /// What a key means in the lab.
  public init?(_ key: Key) {
    switch key {
    case .enter, .character("."): self = .step
    case .character("X"): self = .hundred
    case .character("+"), .character("="): self = .faster
    case .character("-"), .character("_"): self = .slower
    case .character("p"), .space: self = .pause
    case .character("c"): self = .code
    case .backspace, .character("r"): self = .again
    case .up, .character("k"): self = .up
    case .down, .character("j"): self = .down
    case .right: self = .nextScene
    case .left: self = .previousScene
    case .escape: self = .back
    default:
      guard case .character(let character) = key.code, key.modifiers.isEmpty,
        character.isLowercase, character != "q"
      else { return nil }
      self = .input(character)
    }
  }
}
