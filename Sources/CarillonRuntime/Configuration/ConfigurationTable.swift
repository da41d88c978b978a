import TimerBoard

/// A table of a configuration. An invalid value is reported and read as `nil`, so that one pass finds all
/// errors.
///
/// At the end, all keys that have not been read are reported as unknown.
final class ConfigurationTable {
  /// The errors of one file.
  final class Report {
    let file: String
    var errors: [ConfigurationError] = []

    init(file: String) {
      self.file = file
    }
  }

  private let values: [String: TOMLValue]
  private let path: [String]
  private let report: Report
  private var known: [String] = []
  /// The keys of the tables in this one, each with its table: `display.theme`.
  private var knownInTables: [String] = []

  private init(_ values: [String: TOMLValue], path: [String], _ report: Report) {
    self.values = values
    self.path = path
    self.report = report
  }

  /// Reads the root of a document.
  static func read(
    _ root: [String: TOMLValue], reportingTo report: Report, _ read: (ConfigurationTable) -> Void
  ) {
    let table = ConfigurationTable(root, path: [], report)
    read(table)
    table.reportUnknownKeys()
  }

  /// All keys of the table, sorted. After this property is read, none of them is reported as unknown.
  var allKeys: [String] {
    known += values.keys
    return values.keys.sorted()
  }

  /// Reports an error of a key.
  func reportError(_ key: String, _ problem: String) {
    report.errors.append(
      ConfigurationError(
        file: report.file, key: (path + [key]).joined(separator: "."), problem: problem))
  }

  private func reportUnknownKeys() {
    for key in values.keys.sorted() where !known.contains(key) {
      let nearest =
        knownInTables.first { $0.hasSuffix(".\(key)") } ?? Suggestion.nearest(to: key, of: known)
      let hint = nearest.map { "did you mean '\($0)'?" } ?? "expected \(known.alternatives)"
      reportError(key, "unknown key (\(hint))")
    }
  }

  private func value<Value>(
    _ key: String, expected: String, _ read: (TOMLValue) -> Value?
  ) -> Value? {
    known.append(key)
    guard let found = values[key] else { return nil }
    let value = read(found)
    if value == nil { reportInvalid(found, key, expected: expected) }
    return value
  }

  private func reportInvalid(_ value: TOMLValue, _ key: String, expected: String) {
    reportError(key, "invalid value \(value.quoted) (expected \(expected))")
  }
}

extension ConfigurationTable {
  func string(_ key: String) -> String? {
    value(key, expected: "a string") { if case .string(let text) = $0 { text } else { nil } }
  }

  func bool(_ key: String) -> Bool? {
    value(key, expected: "true or false") {
      if case .boolean(let bool) = $0 { bool } else { nil }
    }
  }

  /// Returns an integer of at least 1.
  func count(_ key: String) -> Int? {
    value(key, expected: "an integer of at least 1") {
      if case .integer(let count) = $0, count >= 1 { count } else { nil }
    }
  }

  func duration(_ key: String) -> Duration? {
    guard let text = string(key) else { return nil }
    do {
      return try DurationText.parse(text)
    } catch {
      reportError(key, "'\(text)': \(error.message)")
      return nil
    }
  }

  /// Returns the choice that a string names.
  func choice<Choice>(
    _ key: String, of choices: [Choice], named name: (Choice) -> String
  ) -> Choice? {
    guard let word = string(key) else { return nil }
    return choice(word, key, of: choices, named: name)
  }

  /// Returns the choices that a string or an array of strings names.
  func choices<Choice>(
    _ key: String, of choices: [Choice], named name: (Choice) -> String
  ) -> [Choice]? {
    strings(key)?.compactMap { choice($0, key, of: choices, named: name) }
  }

  private func choice<Choice>(
    _ word: String, _ key: String, of choices: [Choice], named name: (Choice) -> String
  ) -> Choice? {
    if let choice = choices.first(where: { name($0) == word }) { return choice }
    let expected = choices.map(name).alternatives
    reportError(key, "unknown value '\(word)' (expected \(expected))")
    return nil
  }

  /// Returns the texts of a string or an array of strings.
  func strings(_ key: String) -> [String]? {
    let values = value(key, expected: "a string or an array of strings") { value -> [TOMLValue]? in
      switch value {
      case .string: [value]
      case .array(let elements): elements
      default: nil
      }
    }
    return values?.compactMap { value in
      if case .string(let text) = value { return text }
      reportInvalid(value, key, expected: "a string")
      return nil
    }
  }

  func table(_ key: String, _ read: (ConfigurationTable) -> Void) {
    let name = (path + [key]).joined(separator: ".")
    let values = value(key, expected: "a table, [\(name)]") {
      if case .table(let values) = $0 { values } else { nil }
    }
    // A table that the file does not have is read too, so that its keys are known.
    let table = ConfigurationTable(values ?? [:], path: path + [key], report)
    read(table)
    table.reportUnknownKeys()
    knownInTables += table.known.map { "\(key).\($0)" }
  }
}

extension [String] {
  /// The words as alternatives: `a, b or c`.
  var alternatives: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or \(last)"
  }
}
