/// Packing of the timers of a command line into few arguments, because the time of the argument parser is quadratic in
/// the number of arguments.
package enum TimerArguments {
  /// A character that arguments cannot contain.
  private static let separator: Character = "\0"

  /// Joins consecutive timers into one argument. The first argument, which may be `board`, and the first one after an
  /// option, which may be its value, are not joined. Requests of a completion script, which begin with three dashes,
  /// stay as they are.
  /// - Parameter commands: The names of the commands whose arguments stay as they are.
  package static func packed(_ arguments: [String], commands: [String]) -> [String] {
    guard let first = arguments.first, !commands.contains(first), !first.hasPrefix("---") else {
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

  /// Splits the joined arguments again.
  package static func unpacked(_ arguments: [String]) -> [String] {
    arguments.flatMap { packed in
      packed.split(separator: separator, omittingEmptySubsequences: false).map(String.init)
    }
  }
}
