import ArgumentParser
import CarillonRuntime

/// `carillon demo`: the lab.
struct Demo: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "demo",
    abstract: "See how timers behave and fail.",
    discussion: """
      Scenes can be slowed, paused and stepped, and react to key presses.

        carillon demo                    choose a scene
        carillon demo debounce           open a scene
        carillon demo race --plain   print a scene as text
        carillon demo --code race    print the code of a scene
        carillon demo --list             print the names of all scenes
      """)

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
    let output: DemoCommand.Output = plain ? .text : code ? .code : list ? .list : .terminal
    try DemoCommand(scene: scene, output: output).run()
  }
}
