import Foundation

/// Code that a page of the documentation shows, and that a test must run: a row of a table, or the blocks of a section.
struct DocumentedCode: Equatable {
  /// The heading above it.
  let section: String
  /// The first cell of the row; of a section without a table, its heading.
  let name: String
  /// The pieces of code.
  let code: [String]
}

/// A page in the folder of TimerKit's documentation.
struct DocumentationPage: CustomStringConvertible {
  static let folder = RepositoryFolder.path.appending(path: "Sources/TimerKit/TimerKit.docc")

  /// The page, in the folder.
  let description: String
  let text: String

  init(_ name: String) throws {
    description = name
    text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
  }

  private var sections: [(heading: String, lines: [Substring])] {
    var sections: [(heading: String, lines: [Substring])] = [("", [])]
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("## ") {
        sections.append((String(line.dropFirst(3)), []))
      } else {
        sections[sections.count - 1].lines.append(line)
      }
    }
    return sections
  }

  /// The rows of the tables whose last column is headed `TimerKit`, with the code of that column.
  var rows: [DocumentedCode] {
    sections.flatMap { section -> [DocumentedCode] in
      guard let head = section.lines.firstIndex(where: { $0.hasSuffix("| TimerKit |") }) else {
        return []
      }
      return section.lines.dropFirst(head + 2).prefix { $0.hasPrefix("|") }.map { line in
        let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        // Two of them are a link to a symbol.
        let code = (cells.last ?? "").replacing(/``[^`]+``/, with: "").matches(of: /`([^`]+)`/)
          .map { String($0.1) }
        return DocumentedCode(
          section: section.heading, name: cells.first ?? "", code: code)
      }
    }
  }

  /// The Swift code of the sections that have some.
  var blocks: [DocumentedCode] {
    sections.compactMap { section in
      let text = section.lines.joined(separator: "\n")
      let code = text.matches(of: /```swift\n((?s:.*?))```/).map { String($0.1) }
      return code.isEmpty
        ? nil : DocumentedCode(section: section.heading, name: section.heading, code: code)
    }
  }
}

/// The tests that run documented code: Swift files in which a comment `// Row: NAME`, or `// Section: NAME`, precedes the
/// code that runs it.
struct DocumentationTests {
  /// The code that follows the comments with these names, up to the next ones.
  struct Part {
    var names: [String] = []
    var code = ""

    /// True if the code contains each line of a piece of documented code, in their order, apart from white space. A test
    /// has lines of its own between them.
    func contains(_ documented: String) -> Bool {
      var rest = code.withoutWhitespace[...]
      for line in documented.split(separator: "\n") where !line.hasPrefix("import ") {
        let line = line.withoutComment.withoutWhitespace
        if line.isEmpty { continue }
        guard let found = rest.firstRange(of: line) else { return false }
        rest = rest[found.upperBound...]
      }
      return true
    }
  }

  /// The heading of the table, or the page, whose code they run, from a comment `// Table: HEADING` or `// Page: FILE`.
  private(set) var subject = ""
  private(set) var hasSource = false
  private(set) var parts: [Part] = []

  /// Reads a file of this folder.
  init(_ file: String) throws {
    self.init(text: try String(contentsOf: Self.folder.appending(path: file), encoding: .utf8))
  }

  init(text: String) {
    for line in text.split(separator: "\n") {
      let line = line.trimmingCharacters(in: .whitespaces)
      if let match = line.wholeMatch(of: /\/\/ (Table|Page): (.*)/) {
        subject = String(match.2)
      } else if line.hasPrefix("// Source: ") {
        hasSource = true
      } else if let match = line.wholeMatch(of: /\/\/ (Row|Section): (.*)/) {
        if parts.last?.code.isEmpty != true { parts.append(Part()) }
        parts[parts.count - 1].names.append(String(match.2))
      } else if !line.hasPrefix("//"), !parts.isEmpty {
        parts[parts.count - 1].code += line.withoutComment + "\n"
      }
    }
  }

  static let folder = RepositoryFolder.path.appending(path: "Tests/TimerKitTests/Documentation")

  /// Reads the files of a folder in this one.
  static func all(in name: String) throws -> [DocumentationTests] {
    try FileManager.default.contentsOfDirectory(atPath: folder.appending(path: name).path)
      .filter { $0.hasSuffix(".swift") }.sorted().map { try DocumentationTests("\(name)/\($0)") }
  }
}

enum RepositoryFolder {
  static let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the names that TimerKit's sources declare: of types, members and parameters.
  static func declaredNames() throws -> Set<String> {
    let folder = path.appending(path: "Sources/TimerKit")
    let declaration = /(?:(?:func|var|let|case|struct|class|enum|protocol) |[( ])(\w+)/
    var names: Set<String> = []
    for file in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      guard file.hasSuffix(".swift"), !file.contains(".docc/") else { continue }
      let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      for line in text.split(separator: "\n") where line.contains(/^ *(public|case|_|\w+( \w+)?:)/)
      {
        names.formUnion(line.matches(of: declaration).map { String($0.1) })
      }
    }
    return names
  }
}

extension StringProtocol where SubSequence == Substring {
  fileprivate var withoutComment: String { String(self[...]).replacing(/(^|\s)\/\/.*/, with: "") }
}

extension String {
  fileprivate var withoutWhitespace: String { filter { !$0.isWhitespace } }
}
