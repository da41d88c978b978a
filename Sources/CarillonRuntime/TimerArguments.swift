/// The arguments of a board with many timers, packed for the parser of arguments, whose time grows with the
/// square of their number.
package enum TimerArguments {
  /// A program's arguments cannot hold it.
  private static let separator: Character = "\0"

  /// Joins the timers that follow one another into one argument each. The first word can be a command's
  /// name, and the first one after an option its value: both stay as they are.
  package static func packed(_ arguments: [String], commands: [String]) -> [String] {
    guard let first = arguments.first, !commands.contains(first) else { return arguments }
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

  /// The words that were joined, each by itself again.
  package static func unpacked(_ arguments: [String]) -> [String] {
    arguments.flatMap { packed in
      packed.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
  }
}
