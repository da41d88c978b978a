import ArgumentParser
import Lab
import Platform
import TimerBoard

/// `carillon demo`: the guided tour and the lab.
struct DemoCommand: ParsableCommand {
  static let configuration = CommandConfiguration("demo")

  @Argument(help: ArgumentHelp("The scene to open.", valueName: "scene"))
  var scene: String?

  @Flag(help: "Print the scene as text after a fixed script; needs no terminal.")
  var plain = false

  @Flag(help: "Print the code that the scene runs.")
  var code = false

  @Flag(help: "Print the names of all scenes.")
  var list = false

  func run() throws {
    guard [plain, code, list].count(where: { $0 }) <= 1 else {
      throw UsageError("demo: --plain, --code and --list exclude each other")
    }
    let scene = try selectedScene
    if list {
      try StandardStreams.write(Scene.all.map { [$0.name, $0.about] }.inColumns())
    } else if plain, let scene {
      try StandardStreams.check()
      if let duration = scene.duration, isatty(STDERR_FILENO) == 1 {
        let note = "\(scene.name) runs in real time for about \(DurationText.text(duration))\n"
        try StandardStreams.write(Array(note.utf8), to: STDERR_FILENO)
      }
      try StandardStreams.write(scene.plainText(isASCII: StandardStreams.isASCIITerminal) + "\n")
    } else if code, let scene {
      try StandardStreams.write(scene.codeText + "\n")
    } else {
      var options = LaunchOptions()
      options.configuration = try Configuration.read(nil)
      try Program.run {
        try TerminalSession(options, lab: scene.map { LabState($0) }, beginsTour: scene == nil)
      }
    }
  }

  /// The scene to open, if any.
  /// - Throws: `UsageError` if there is no scene with that name, or if the output needs a scene and none is given.
  private var selectedScene: Scene? {
    get throws(UsageError) {
      let hint = "carillon demo --list prints their names"
      guard let name = scene else {
        guard !plain, !code else { throw UsageError("demo: missing argument '<scene>' (\(hint))") }
        return nil
      }
      guard let scene = Scene.named(name) else {
        let nearest = Suggestion.hint(for: name, of: Scene.all.map(\.name))
        throw UsageError("demo: unknown scene '\(name)' (\(nearest ?? hint))")
      }
      return scene
    }
  }
}
