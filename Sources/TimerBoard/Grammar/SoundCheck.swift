/// A bell that the program synthesizes; the raw value is its name in the grammar and in the configuration.
package enum BellSound: String, CaseIterable, Sendable {
  case bowl, glass, tower
}

/// The check of the sounds that texts name: bells, and files by their paths. The paths do not depend on the folder of a
/// process, because a session moves between processes.
package struct SoundCheck: Hashable, Sendable {
  static let bells = BellSound.allCases.map(\.rawValue)
  static let expected = "\(bells.joined(separator: ", ")) or a path that begins with / or ~/"

  private let fileProblem: @Sendable (String) -> String?

  /// - Parameter fileProblem: Returns the reason for which a file cannot be read; `nil` if it can.
  package init(fileProblem: @escaping @Sendable (String) -> String? = { _ in nil }) {
    self.fileProblem = fileProblem
  }

  /// Returns the problem of a sound; `nil` if it is a bell or a file that can be read.
  package func problem(of sound: String) -> String? {
    if BellSound(rawValue: sound) != nil { return nil }
    guard sound.hasPrefix("/") || sound.hasPrefix("~/") else {
      return Suggestion.message(
        "unknown sound '\(sound)'", for: sound, of: Self.bells, expected: Self.expected)
    }
    return fileProblem(sound).map { "sound '\(sound)': \($0)" }
  }

  /// A program has one check, so that contexts do not differ by it.
  package static func == (left: SoundCheck, right: SoundCheck) -> Bool { true }

  package func hash(into hasher: inout Hasher) {}
}
