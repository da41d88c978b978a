import ArgumentParser
import Dashboard
import Dispatch
import Lab

#if canImport(Darwin)
  import Darwin
#elseif canImport(Musl)
  import Musl
#else
  import Glibc
#endif

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// `carillon demo`: the lab.
struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "See how timers behave, and how they go wrong.",
    discussion: """
      Each scene can be slowed, paused and stepped, and takes your own key presses.

        carillon demo                    choose a scene
        carillon demo debounce           open one
        carillon demo fiveways --plain   print one after its script, as text
        carillon demo --code fiveways    print the code it runs
        carillon demo --list             what there is
      """)

  @Argument(help: ArgumentHelp("The scene to open.", valueName: "scene"))
  var scene: String?

  @Flag(help: "Print the scene after a fixed script, as text; needs no terminal.")
  var plain = false

  @Flag(help: "Print the code that the scene runs.")
  var code = false

  @Flag(help: "Print the names of all scenes.")
  var list = false

  func validate() throws {
    if [plain, code, list].count(where: { $0 }) > 1 {
      throw ValidationError("--plain, --code and --list are one or the other.")
    }
    if (plain || code) && scene == nil {
      throw ValidationError("Name a scene; carillon demo --list tells which there are.")
    }
    _ = try chosen
  }

  private var chosen: Scene? {
    get throws {
      guard let scene else { return nil }
      if let found = Scene.named(scene) { return found }
      let hint =
        Spelling.nearest(to: scene, of: Scene.all.map(\.id))
        .map { " Did you mean “\($0)”?" } ?? " carillon demo --list tells which there are."
      throw ValidationError("There is no scene “\(scene)”.\(hint)")
    }
  }

  func run() throws {
    let scene = try chosen
    if list {
      let width = Scene.all.map(\.id.count).max() ?? 0
      let lines = Scene.all.map { scene in
        scene.id + String(repeating: " ", count: width - scene.id.count + 2) + scene.about + "\n"
      }
      try StandardOutput.write(lines.joined())
    } else if let scene, plain {
      try StandardOutput.check()
      if let duration = scene.duration, isatty(STDERR_FILENO) == 1 {
        let note =
          "\(scene.id) runs in real time: this takes about \(DurationText.text(duration))\n"
        note.withCString { _ = write(STDERR_FILENO, $0, strlen($0)) }
      }
      let environment = ProcessInfo.processInfo.environment
      // In a pipe or a file it is the same everywhere.
      let isASCII =
        isatty(STDOUT_FILENO) == 1 && !CharacterEncoding.isUTF8(environment: environment)
      try StandardOutput.write(scene.plainText(isASCII: isASCII) + "\n")
    } else if let scene, code {
      try StandardOutput.write(scene.codeText + "\n")
    } else {
      try MainActor.assumeIsolated {
        Session.current = try Session(
          Opening(), lab: LabState(scene), environment: ProcessInfo.processInfo.environment)
      }
      dispatchMain()
    }
  }
}
