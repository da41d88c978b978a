import ArgumentParser
import Platform
import TimerBoard

extension ControlCommand {
  /// Returns the names of timers and groups that can follow the words of a command line, for a shell's completion.
  static func completions(after words: [String]) -> [String] {
    var session = SessionName.main
    var given: [String] = []
    var rest = words.drop { $0 != "ctl" }.dropFirst()
    while let word = rest.popFirst() {
      if word == "--session" {
        // bash splits `--session=NAME` into three words.
        if rest.first == "=" { rest.removeFirst() }
        session = rest.popFirst().flatMap { try? SessionName($0) } ?? session
      } else if word.hasPrefix("--session=") {
        session = (try? SessionName(String(word.dropFirst("--session=".count)))) ?? session
      } else if !word.hasPrefix("-") {
        given.append(word)
      }
    }
    guard let command = given.first, takesNames(command),
      let client = try? ControlClient(
        session, timeout: 1, environment: ProcessInfo.processInfo.environment),
      let file = try? client.success(of: .list).session,
      let timers = try? file.savedTimers()
    else { return [] }
    let names = (timers.compactMap(\.spec.name) + Set(timers.compactMap(\.spec.group)).sorted())
      .filter { $0 == $0.printable() }
    switch CompletionShell.requesting {
    // bash expands completions as if they were part of a script.
    case .bash: return names.map(\.quotedForBashCompletion)
    // zsh takes the text after a colon as a description.
    case .zsh:
      return names.map { $0.replacing(#"\"#, with: #"\\"#).replacing(":", with: #"\:"#) }
    default: return names
    }
  }

  private static func takesNames(_ command: String) -> Bool {
    if let verb = ControlVerb(rawValue: command) { return verb.target != .board }
    return [ControlRequest.Service.list, .watch].map(\.rawValue).contains(command)
  }
}

extension String {
  /// The text for `compgen -W`, which expands it once, so that the command line gets a quoted word.
  fileprivate var quotedForBashCompletion: String {
    let isPlain = unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || "-_.,:+@/%".unicodeScalars.contains(scalar)
    }
    return isPlain ? self : quotedForShell.quotedForShell
  }

  private var quotedForShell: String { "'\(replacing("'", with: #"'\''"#))'" }
}
