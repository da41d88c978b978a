import TimerBoard

extension Configuration {
  /// Returns the timers of words, in which `@NAME` stands for those of a preset.
  func specs(of words: [String], in context: TimerContext) throws -> [TimerSpec] {
    try specs(of: words, in: context) { try TimerSpec.parse(words: $0, in: context) }
  }

  /// Returns the timers of words, in which `@NAME` stands for those of a preset.
  /// - Parameter parse: Parses consecutive words that are timers.
  func specs(
    of words: [String], in context: TimerContext, parse: ([String]) throws -> [TimerSpec]
  ) throws -> [TimerSpec] {
    var specs: [TimerSpec] = []
    var timers: [String] = []
    for word in words {
      guard word.hasPrefix("@") else {
        timers.append(word)
        continue
      }
      let texts = try preset(String(word.dropFirst()))
      if !timers.isEmpty { specs += try parse(timers) }
      if !texts.isEmpty {
        specs += try TimerSpec.parse(line: texts.joined(separator: "\n"), in: context)
      }
      timers = []
    }
    return timers.isEmpty ? specs : specs + (try parse(timers))
  }

  private func preset(_ name: String) throws(UsageError) -> [String] {
    if let texts = presets[name] { return texts }
    let names = presets.keys.sorted()
    let nearest = Suggestion.nearest(to: name, of: names).map { "did you mean '@\($0)'?" }
    let known =
      names.isEmpty
      ? "the configuration has no presets"
      : "expected \(names.map { "@\($0)" }.joined(separator: ", "))"
    throw UsageError("unknown preset '@\(name)' (\(nearest ?? known))")
  }
}
