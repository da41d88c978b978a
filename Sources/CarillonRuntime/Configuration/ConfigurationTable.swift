import TOMLKit
import TimerBoard

/// A table of a configuration. An invalid value is reported and read as `nil`, so that one pass finds all
/// errors. Only this file uses the parser, TOMLKit.
///
/// At the end, all keys that have not been read are reported as unknown.
final class ConfigurationTable {
  /// The errors of one file.
  private final class Report {
    let file: String
    var errors: [ConfigurationError] = []

    init(file: String) {
      self.file = file
    }
  }

  /// The maximum size of a file in bytes.
  private static let sizeLimit = 128 << 10

  /// The values; `nil` for a table that the file does not have.
  private let values: TOMLTable?
  private let path: [String]
  private let report: Report
  private var known: [String] = []
  /// The keys of the tables in this one, each with its table: `display.theme`.
  private var knownInTables: [String] = []

  private init(_ values: TOMLTable?, path: [String], _ report: Report) {
    self.values = values
    self.path = path
    self.report = report
  }

  /// Reads the root of a file.
  /// - Returns: The errors.
  static func read(
    _ bytes: [UInt8], file: String, _ read: (ConfigurationTable) -> Void
  ) -> [ConfigurationError] {
    func error(_ problem: String, line: Int? = nil) -> [ConfigurationError] {
      [ConfigurationError(file: file, line: line, problem: problem)]
    }
    guard bytes.count <= sizeLimit else {
      return error("too large (expected at most \(sizeLimit >> 10) KiB)")
    }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      return error("invalid text (expected UTF-8)")
    }
    if let construct = unparseableConstruct(in: text) {
      return error("invalid TOML: \(construct.problem)", line: construct.line)
    }
    let report = Report(file: file)
    do {
      let root = ConfigurationTable(try TOMLTable(string: text), path: [], report)
      read(root)
      root.reportUnknownKeys()
    } catch let fault as TOMLParseError {
      // On one line, with the first letter in lower case.
      let problem = fault.description.split(whereSeparator: \.isNewline).joined(separator: " ")
      return error("invalid TOML: \(problem.lowercasedFirst)", line: fault.source.begin.line)
    } catch {
      return [ConfigurationError(file: file, problem: "invalid TOML: \(error)")]
    }
    return report.errors
  }

  private var keys: [String] { (values?.keys ?? []).sorted() }

  /// All keys of the table, sorted. After this property is read, none of them is reported as unknown.
  var allKeys: [String] {
    known += keys
    return keys
  }

  /// Reports an error of a key.
  func reportError(_ key: String, _ problem: String) {
    report.errors.append(
      ConfigurationError(
        file: report.file,
        key: (path + [key]).map { $0.isEmpty ? "\"\"" : $0 }.joined(separator: "."),
        problem: problem))
  }

  private func reportUnknownKeys() {
    for key in keys where !known.contains(key) {
      let nearest =
        knownInTables.first { $0.hasSuffix(".\(key)") } ?? Suggestion.nearest(to: key, of: known)
      let hint = nearest.map { "did you mean '\($0)'?" } ?? "expected \(known.alternatives)"
      reportError(key, "unknown key (\(hint))")
    }
  }

  private func value<Value>(
    _ key: String, expected: String, _ read: (any TOMLValueConvertible) -> Value?
  ) -> Value? {
    known.append(key)
    guard let found = values?[key] else { return nil }
    let value = read(found)
    if value == nil { reportInvalid(found, key, expected: expected) }
    return value
  }

  private func reportInvalid(_ value: any TOMLValueConvertible, _ key: String, expected: String) {
    let scalar = value.string ?? value.int.map { "\($0)" } ?? value.bool.map { "\($0)" }
    let quoted = scalar.map { "'\($0)'" } ?? value.type.description
    reportError(key, "invalid value \(quoted) (expected \(expected))")
  }

  func string(_ key: String) -> String? {
    value(key, expected: "a string") { $0.string }
  }

  func bool(_ key: String) -> Bool? {
    value(key, expected: "true or false") { $0.bool }
  }

  /// Returns an integer of at least 1.
  func count(_ key: String) -> Int? {
    value(key, expected: "an integer of at least 1") { $0.int.flatMap { $0 >= 1 ? $0 : nil } }
  }

  func duration(_ key: String) -> Duration? {
    guard let text = string(key) else { return nil }
    do {
      return try DurationText.parse(words: text)
    } catch {
      reportError(key, "'\(text)': \(error.message)")
      return nil
    }
  }

  /// Returns the choice that a string names.
  func choice<Choice>(
    _ key: String, of choices: [Choice], named name: (Choice) -> String
  ) -> Choice? {
    string(key).flatMap { choice($0, key, of: choices, named: name) }
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
    let values = value(key, expected: "a string or an array of strings") {
      value -> [any TOMLValueConvertible]? in
      value.string == nil ? value.array.map { Array($0) } : [value]
    }
    return values?.compactMap { value in
      if let text = value.string { return text }
      reportInvalid(value, key, expected: "a string")
      return nil
    }
  }

  func table(_ key: String, _ read: (ConfigurationTable) -> Void) {
    let name = (path + [key]).joined(separator: ".")
    let values = value(key, expected: "a table, [\(name)]") { $0.table }
    // A table that the file does not have is read too, so that its keys are known.
    let table = ConfigurationTable(values, path: path + [key], report)
    read(table)
    table.reportUnknownKeys()
    knownInTables += table.known.map { "\(key).\($0)" }
  }
}

/// The check of a file before TOMLKit parses it.
extension ConfigurationTable {
  /// The maximum nesting of dotted keys and of brackets.
  private static let levelLimit = 32
  /// The characters with which a name can begin, and the one that closes a header without any, which the parser reports.
  private static let nameStarts = Set(
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_\"']".unicodeScalars)

  /// Returns the first construct at which TOMLKit's parser crashes instead of throwing an error: a table header
  /// with an invalid first character, invalid characters outside of strings and comments, a `}` in place of an
  /// array element, or too deep nesting.
  private static func unparseableConstruct(in text: String) -> (line: Int, problem: String)? {
    var rest = text.unicodeScalars[...]
    if rest.first == "\u{FEFF}" { rest.removeFirst() }
    var line = 1
    // The open brackets, and the most recent character that is not blank.
    var open: [Unicode.Scalar] = []
    var last: Unicode.Scalar = "\0"
    var isLineStart = true
    var dots = 0
    while let character = rest.popFirst() {
      switch character {
      case ".": dots += 1
      case "\n", "=", ",", "[", "]", "{", "}": dots = 0
      default: break
      }
      if dots >= levelLimit || open.count > levelLimit {
        return (line, "nested too deeply (expected at most \(levelLimit) levels)")
      }
      switch character {
      case "\n":
        line += 1
        // Within an array, a bracket does not begin a header.
        isLineStart = open.isEmpty
        continue
      case " ", "\t", "\r": continue
      case "#":
        rest = rest.drop { $0 != "\n" }
        continue
      case "\"", "'": line += skipString(quoted: character, &rest)
      case "[" where isLineStart:
        skipBlanks(&rest)
        if rest.first == "[" {
          rest.removeFirst()
          skipBlanks(&rest)
        }
        if let first = rest.first, !nameStarts.contains(first) {
          return (line, "missing table name after '['")
        }
        open.append(character)
      case "[", "{": open.append(character)
      case "}" where open.last == "[" && (last == "[" || last == ","):
        return (line, "unexpected '}' (expected a value or ']')")
      // The second bracket at the end of a header closes nothing.
      case "]", "}": _ = open.popLast()
      case "!"..."~": break
      default: return (line, "invalid character (expected ASCII outside of strings and comments)")
      }
      last = character
      isLineStart = false
    }
    return nil
  }

  private static func skipBlanks(_ rest: inout Substring.UnicodeScalarView) {
    rest = rest.drop { $0 == " " || $0 == "\t" }
  }

  /// Skips a string after its first quote.
  /// - Returns: The number of line breaks in the string.
  private static func skipString(
    quoted quote: Unicode.Scalar, _ rest: inout Substring.UnicodeScalarView
  ) -> Int {
    let isMultiline = rest.starts(with: [quote, quote])
    if isMultiline { rest.removeFirst(2) }
    var breaks = 0
    while let character = rest.first {
      if character == "\n" {
        // A single-line string ends with the line; the parser reports the missing quote.
        guard isMultiline else { return 0 }
        breaks += 1
      }
      rest.removeFirst()
      if character == "\\", quote == "\"" {
        if rest.first != "\n" { _ = rest.popFirst() }
      } else if character == quote, !isMultiline || rest.starts(with: [quote, quote]) {
        // Up to two more quotes belong to the string.
        if isMultiline { rest = rest.drop { $0 == quote } }
        return breaks
      }
    }
    return breaks
  }
}

extension [String] {
  /// The words as alternatives: `a, b or c`.
  var alternatives: String {
    guard count > 1, let last else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " or \(last)"
  }
}
