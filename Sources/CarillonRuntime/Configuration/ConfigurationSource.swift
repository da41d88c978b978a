import TOMLKit

/// Why a configuration cannot be used: which file, line and key, and what was expected.
struct ConfigurationFault: ProgramError, Hashable {
  var file: String
  var line: Int?
  var key = ""
  /// The names that lead to the key.
  var path: [String] = []
  var problem: String
  var exitStatus: Int32 { ExitStatus.usageError }

  var description: String {
    let place = line.map { "\(file):\($0)" } ?? file
    return key.isEmpty ? "\(place): \(problem)" : "\(place): \(key): \(problem)"
  }
}

/// The text of a configuration, for finding the line of a key again.
struct ConfigurationSource {
  var file: String
  private var text: String

  init(file: String, text: String) {
    self.file = file
    self.text = text
  }

  func table() throws(ConfigurationFault) -> ConfigurationTable {
    if let trap = Self.trap(in: text) {
      throw ConfigurationFault(file: file, line: trap.line, problem: "no TOML: \(trap.message)")
    }
    do {
      return ConfigurationTable(try TOMLTable(string: text), path: [], in: self)
    } catch {
      guard let error = error as? TOMLParseError else {
        throw ConfigurationFault(file: file, problem: "\(error)")
      }
      throw ConfigurationFault(
        file: file, line: error.source.begin.line, problem: "no TOML: \(error.description)")
    }
  }

  func fault(_ path: [String], _ message: String) -> ConfigurationFault {
    ConfigurationFault(
      file: file, line: line(of: path), key: path.joined(separator: "."), path: path,
      problem: message)
  }

  /// The line on which a key, or else the table it is in, is set.
  private func line(of path: [String]) -> Int? {
    var table: [String] = []
    var found: (depth: Int, line: Int)?
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() {
      var key: [String]
      let trimmed = line.drop { $0 == " " || $0 == "\t" }
      if trimmed.first == "[" {
        table = Self.parts(of: trimmed.drop { $0 == "[" }, upTo: "]")
        key = table
      } else if trimmed.first != "#", trimmed.contains("=") {
        key = table + Self.parts(of: trimmed, upTo: "=")
      } else {
        continue
      }
      // A table that is only named on the way to one within it is there too.
      if key.starts(with: path), key.count > path.count { key = path }
      if path.starts(with: key), key.count > found?.depth ?? 0 { found = (key.count, index + 1) }
    }
    return found?.line
  }

  /// `a."b.c" = 1` is about `b.c` of `a`.
  private static func parts(of text: Substring, upTo end: Character) -> [String] {
    var parts = [""]
    var quote: Character?
    for character in text {
      if let open = quote {
        if character == open { quote = nil } else { parts[parts.count - 1].append(character) }
      } else if character == end {
        break
      } else if character == "\"" || character == "'" {
        quote = character
      } else if character == "." {
        parts.append("")
      } else if character != " ", character != "\t" {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}
