import Dispatch
import Lab
import Platform
import TerminalCore
import TimerBoard

/// `carillon demo`: the lab.
package struct DemoCommand {
  package enum Output: Sendable {
    /// The scene in the terminal, or the menu.
    case terminal
    /// The scene after its script, as text.
    case text
    /// The code that the scene runs.
    case code
    /// The names of all scenes.
    case list
  }

  private let scene: Scene?
  private let output: Output

  /// - Throws: `UsageError` if there is no scene with that name, or if the output needs a scene and none is given.
  package init(scene name: String?, output: Output) throws(UsageError) {
    guard let name else {
      guard output == .terminal || output == .list else {
        throw UsageError("demo: missing argument '<scene>' (\(Self.hint))")
      }
      (scene, self.output) = (nil, output)
      return
    }
    guard let scene = Scene.named(name) else {
      let nearest =
        Suggestion.hint(for: name, of: Scene.all.map(\.name))
      throw UsageError("demo: unknown scene '\(name)' (\(nearest ?? Self.hint))")
    }
    (self.scene, self.output) = (scene, output)
  }

  private static let hint = "carillon demo --list prints their names"

  package func run() throws {
    let environment = ProcessInfo.processInfo.environment
    switch (output, scene) {
    case (.list, _): try StandardStreams.write(Self.list)
    case (.text, let scene?):
      try StandardStreams.check()
      if let duration = scene.duration, isatty(STDERR_FILENO) == 1 {
        let note = "\(scene.name) runs in real time for about \(DurationText.text(duration))\n"
        try StandardStreams.write(Array(note.utf8), to: STDERR_FILENO)
      }
      // The output to a pipe or a file does not depend on the locale.
      let isASCII =
        isatty(STDOUT_FILENO) == 1 && !CharacterEncoding.isUTF8(environment: environment)
      try StandardStreams.write(scene.plainText(isASCII: isASCII) + "\n")
    case (.code, let scene?): try StandardStreams.write(scene.codeText + "\n")
    default:
      var options = LaunchOptions()
      options.configuration = try Configuration.read(nil, environment: environment)
      let launch = options
      try MainActor.assumeIsolated {
        TerminalSession.current = try TerminalSession(
          launch, lab: LabState(scene), environment: environment)
      }
      dispatchMain()
    }
  }

  private static var list: String {
    let width = Scene.all.map(\.name.cellWidth).max() ?? 0
    return Scene.all.map { "\($0.name.padded(to: width + 2))\($0.about)\n" }.joined()
  }
}
