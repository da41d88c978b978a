import TOMLKit
import TimerBoard

/// A table of a configuration, read key by key; what has the wrong type is told of with its line.
struct ConfigurationTable {
  private let table: TOMLTable
  private let path: [String]
  private let source: ConfigurationSource

  init(_ table: TOMLTable, path: [String], in source: ConfigurationSource) {
    self.table = table
    self.path = path
    self.source = source
  }

  var keys: [String] { table.keys.sorted() }

  func fault(_ key: String, _ message: String) -> ConfigurationFault {
    source.fault(path + [key], message)
  }

  /// Removes the value that a path leads to.
  /// - Returns: a Boolean value that indicates whether there was one.
  func remove(at path: [String]) -> Bool {
    guard let key = path.first else { return false }
    guard path.count > 1 else { return table.remove(at: key) != nil }
    let inner = table[key]?.table.map {
      ConfigurationTable($0, path: self.path + [key], in: source)
    }
    return inner?.remove(at: Array(path.dropFirst())) ?? false
  }

  /// The texts that a path leads to, if they are such.
  func texts(at path: [String]) -> [String]? {
    guard let key = path.first else { return nil }
    guard path.count > 1 else { return (try? strings(key)) ?? nil }
    return ((try? table(key)) ?? nil)?.texts(at: Array(path.dropFirst()))
  }

  /// Refuses keys that mean nothing here.
  func check(known: [String]) throws(ConfigurationFault) {
    for key in keys where !known.contains(key) {
      let near = Suggestion.nearest(to: key, of: known).map { ": did you mean “\($0)”?" }
      throw fault(key, "unknown" + (near ?? "; there are \(known.joined(separator: ", "))"))
    }
  }

  func string(_ key: String) throws(ConfigurationFault) -> String? {
    try value(key, "a text in quotes") { $0.string }
  }

  func bool(_ key: String) throws(ConfigurationFault) -> Bool? {
    try value(key, "true or false") { $0.bool }
  }

  func count(_ key: String) throws(ConfigurationFault) -> Int? {
    try value(key, "a whole number from 1 on") { value in
      value.int.flatMap { $0 >= 1 ? $0 : nil }
    }
  }

  func choice(_ key: String, of words: [String]) throws(ConfigurationFault) -> String? {
    guard let word = try string(key) else { return nil }
    guard words.contains(word) else { throw unknown(word, of: words, key) }
    return word
  }

  /// Some of the words that there are.
  func choices(_ key: String, of words: [String]) throws(ConfigurationFault) -> [String]? {
    guard let chosen = try strings(key) else { return nil }
    for word in chosen where !words.contains(word) { throw unknown(word, of: words, key) }
    return chosen
  }

  private func unknown(_ word: String, of words: [String], _ key: String) -> ConfigurationFault {
    let near = Suggestion.nearest(to: word, of: words).map { ": did you mean “\($0)”?" } ?? ""
    return fault(key, "“\(word)” is none of \(words.joined(separator: ", "))\(near)")
  }

  /// One text, or a list of them.
  func strings(_ key: String) throws(ConfigurationFault) -> [String]? {
    try value(key, "a text in quotes, or a list of them") { value in
      if let text = value.string { return [text] }
      guard let array = value.array else { return nil }
      let texts = array.compactMap(\.string)
      return texts.count == array.count ? texts : nil
    }
  }

  func duration(_ key: String) throws(ConfigurationFault) -> Duration? {
    guard let text = try string(key) else { return nil }
    do {
      return try DurationText.parse(text)
    } catch {
      throw fault(key, "\(text): \(error.problem.message)")
    }
  }

  func table(_ key: String) throws(ConfigurationFault) -> ConfigurationTable? {
    try value(key, "a table, [\((path + [key]).joined(separator: "."))]") { value in
      value.table.map { ConfigurationTable($0, path: path + [key], in: source) }
    }
  }

  private func value<Value>(
    _ key: String, _ expected: String, _ read: (any TOMLValueConvertible) -> Value?
  ) throws(ConfigurationFault) -> Value? {
    guard let value = table[key] else { return nil }
    guard let read = read(value) else { throw fault(key, "\(expected) belongs here") }
    return read
  }
}
