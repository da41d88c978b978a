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

  private let nodes: [String: TOMLNode]
  private let path: [String]
  private let report: Report
  private var known: [String] = []
  /// The keys of the tables in this one, each with its table: `display.theme`.
  private var knownInTables: [String] = []

  private init(_ nodes: [String: TOMLNode], path: [String], _ report: Report) {
    self.nodes = nodes
    self.path = path
    self.report = report
  }

  /// Reads the root of a document.
  static func read(
    _ root: TOMLNode, reportingTo report: Report, _ read: (ConfigurationTable) -> Void
  ) {
    guard case .table(let nodes) = root.value else { return }
    let table = ConfigurationTable(nodes, path: [], report)
    read(table)
    table.reportUnknownKeys()
  }

  /// All keys of the table, in the order of the file. After this property is read, none of them is reported as unknown.
  var allKeys: [String] {
    let sorted = nodes.sorted { ($0.value.position, $0.key) < ($1.value.position, $1.key) }
    known += sorted.map(\.key)
    return sorted.map(\.key)
  }

  /// Reports an error of a key.
  /// - Parameter element: The invalid element if the value is an array.
  func reportError(_ key: String, _ problem: String, of element: TOMLNode? = nil) {
    report.errors.append(
      ConfigurationError(
        file: report.file, position: (element ?? nodes[key])?.position,
        key: (path + [key]).joined(separator: "."), problem: problem))
  }

  private func reportUnknownKeys() {
    for key in nodes.keys where !known.contains(key) {
      let nearest =
        knownInTables.first { $0.hasSuffix(".\(key)") } ?? Suggestion.nearest(to: key, of: known)
      let hint = nearest.map { "did you mean '\($0)'?" } ?? "expected \(known.alternatives)"
      reportError(key, "unknown key (\(hint))")
    }
  }

  private func value<Value>(
    _ key: String, expected: String, _ read: (TOMLNode) -> Value?
  ) -> Value? {
    known.append(key)
    guard let node = nodes[key] else { return nil }
    let value = read(node)
    if value == nil { reportInvalid(node, key, expected: expected) }
    return value
  }

  private func reportInvalid(_ node: TOMLNode, _ key: String, expected: String) {
    reportError(key, "invalid value \(node.quoted) (expected \(expected))", of: node)
  }
}

extension ConfigurationTable {
  func string(_ key: String) -> String? {
    value(key, expected: "a string") { if case .string(let text) = $0.value { text } else { nil } }
  }

  func bool(_ key: String) -> Bool? {
    value(key, expected: "true or false") {
      if case .boolean(let bool) = $0.value { bool } else { nil }
    }
  }

  /// Returns an integer of at least 1.
  func count(_ key: String) -> Int? {
    value(key, expected: "an integer of at least 1") {
      if case .integer(let count) = $0.value, count >= 1 { count } else { nil }
    }
  }

  func duration(_ key: String) -> Duration? {
    guard let text = string(key) else { return nil }
    do {
      return try DurationText.parse(text)
    } catch {
      reportError(key, "'\(text)': \(error.problem.message)")
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
    strings(key)?.compactMap { text, node in
      choice(text, key, of: choices, named: name, element: node)
    }
  }

  private func choice<Choice>(
    _ word: String, _ key: String, of choices: [Choice], named name: (Choice) -> String,
    element: TOMLNode? = nil
  ) -> Choice? {
    if let choice = choices.first(where: { name($0) == word }) { return choice }
    let expected = choices.map(name).alternatives
    reportError(key, "unknown value '\(word)' (expected \(expected))", of: element)
    return nil
  }

  /// Returns a string or an array of strings, each with its node.
  func strings(_ key: String) -> [(text: String, node: TOMLNode)]? {
    let nodes = value(key, expected: "a string or an array of strings") { node -> [TOMLNode]? in
      switch node.value {
      case .string: [node]
      case .array(let elements): elements
      default: nil
      }
    }
    return nodes?.compactMap { node in
      if case .string(let text) = node.value { return (text, node) }
      reportInvalid(node, key, expected: "a string")
      return nil
    }
  }

  func table(_ key: String, _ read: (ConfigurationTable) -> Void) {
    let name = (path + [key]).joined(separator: ".")
    let nodes = value(key, expected: "a table, [\(name)]") {
      if case .table(let nodes) = $0.value { nodes } else { nil }
    }
    // A table that the file does not have is read too, so that its keys are known.
    let table = ConfigurationTable(nodes ?? [:], path: path + [key], report)
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
