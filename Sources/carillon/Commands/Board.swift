import ArgumentParser
import Assets
import Dashboard
import Dispatch

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What `carillon` does without a command's name: the dashboard.
struct Board: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "board",
    usage: "carillon [--fresh] [--no-mouse] [--config <file>] [<timer> ...]",
    shouldDisplay: false)

  @Argument(
    help: ArgumentHelp("The timers to start with; @NAME for those of a preset.", valueName: "timer")
  )
  var timers: [String] = []

  @Flag(help: "Leave the saved session alone: neither load nor save it.")
  var fresh = false

  @Flag(help: "Leave the mouse to the terminal, for selecting text.")
  var noMouse = false

  @Option(help: ArgumentHelp("The configuration, if not the usual one.", valueName: "file"))
  var config: String?

  /// A program's arguments cannot hold it.
  private static let separator: Character = "\0"

  /// Joins timers that follow one another into one argument each: the parser of arguments takes time
  /// that grows with the square of their number. The first word can be a command's name, and the first
  /// one after an option its value.
  static func packing(_ arguments: [String]) -> [String] {
    guard let first = arguments.first, !Carillon.commandNames.contains(first) else {
      return arguments
    }
    var packed: [String] = []
    var words: [String] = []
    var isAfterOption = true
    for argument in arguments {
      if argument.hasPrefix("-") || isAfterOption {
        if !words.isEmpty { packed.append(words.joined(separator: String(separator))) }
        words = []
        packed.append(argument)
        isAfterOption = argument.hasPrefix("-")
      } else {
        words.append(argument)
      }
    }
    if !words.isEmpty { packed.append(words.joined(separator: String(separator))) }
    return packed
  }

  /// The timers' words, each by itself again.
  var words: [String] {
    timers.flatMap { packed in
      packed.split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
    }
  }

  func run() throws {
    let environment = ProcessInfo.processInfo.environment
    let configuration = try Configuration.read(config, environment: environment)
    var opening = Opening()
    if !fresh, let store = SessionStore(environment: environment) {
      opening = Opening(sessionIn: store)
    }
    opening.configuration = configuration
    if noMouse { opening.configuration.usesMouse = false }
    let isFirst = opening.isTour || fresh
    opening.isTour = false
    opening.specs = try timersAsked(beside: opening)
    if opening.specs.isEmpty, isFirst {
      opening.specs = try timers(of: configuration.timers, beside: opening)
      if opening.specs.isEmpty {
        opening.isTour = true
        opening.specs = try TimerSpec.parse(line: Assets.tour)
      }
    }
    try MainActor.assumeIsolated {
      Session.current = try Session(opening, environment: environment)
    }
    dispatchMain()
  }

  private func timers(of texts: [String], beside opening: Opening) throws -> [TimerSpec] {
    guard !texts.isEmpty else { return [] }
    return try TimerSpec.parse(
      line: texts.joined(separator: "\n"),
      in: TimerContext(names: opening.names, now: Moment.now().wall))
  }

  private func preset(_ name: String, of configuration: Configuration) throws -> [String] {
    if let texts = configuration.presets[name] { return texts }
    let names = configuration.presets.keys.sorted()
    let near = Spelling.nearest(to: name, of: names).map { "@\($0)" }
    let known =
      names.isEmpty ? "the configuration has none" : "there are \(names.joined(separator: ", "))"
    throw ValidationError(
      "There is no preset “\(name)”: \(near.map { "did you mean \($0)?" } ?? known)")
  }

  /// - Parameter opening: whose timers they can name.
  private func timersAsked(beside opening: Opening) throws -> [TimerSpec] {
    var specs: [TimerSpec] = []
    var words: [String] = []
    for word in self.words {
      guard word.hasPrefix("@") else {
        words.append(word)
        continue
      }
      let texts = try preset(String(word.dropFirst()), of: opening.configuration)
      specs += try timersAsked(words, beside: opening)
      specs += try timers(of: texts, beside: opening)
      words = []
    }
    return specs + (try timersAsked(words, beside: opening))
  }

  private func timersAsked(_ timers: [String], beside opening: Opening) throws -> [TimerSpec] {
    guard !timers.isEmpty else { return [] }
    do {
      return try TimerSpec.parse(
        words: timers, in: TimerContext(names: opening.names, now: Moment.now().wall))
    } catch {
      if error.word == 0, error.offset == 0,
        let command = Spelling.nearest(to: timers[0], of: Carillon.commandNames)
      {
        throw ValidationError(
          "“\(timers[0])” is neither a timer nor a command. Did you mean “\(command)”?")
      }
      throw error
    }
  }
}
