import Foundation
import Testing

/// Every command in README.md, the pages in docs, COOKBOOK.md and the man page.
enum DocumentedCommands {
  /// The pages with commands.
  static let pages =
    ["README.md", "COOKBOOK.md"]
    + ["attach", "comparison", "install", "keys", "scripts", "sessions", "timerkit", "timers"]
    .map { "docs/\($0).md" }

  /// Returns the commands in the code blocks and sentences of a page.
  static func commands(ofPage name: String) throws -> [String] {
    let page = try String(contentsOf: repository.appendingPathComponent(name), encoding: .utf8)
    var commands: [String] = []
    var prose = ""
    for (number, part) in page.components(separatedBy: "```").enumerated() {
      guard number % 2 == 1 else {
        prose += part
        continue
      }
      let lines = part.split(separator: "\n", omittingEmptySubsequences: false)
      let text = lines.dropFirst().joined(separator: "\n")
      switch lines.first {
      case "sh": commands += statements(in: text)
      // Commands of a status line or a bar.
      case "tmux":
        commands += text.matches(of: /#\((.+)\)|run-shell '(.+)'/).map {
          String($0.1 ?? $0.2 ?? "")
        }
      case "json":
        commands += text.matches(of: /"(?:exec|on-[a-z-]+)": "(.+)"/).map { String($0.1) }
      default: break
      }
    }
    return commands
      + prose.matches(of: /`([^`]+)`/).map { String($0.1).replacing(/\s+/, with: " ") }
      .filter { $0.hasPrefix("carillon ") || $0.hasPrefix("make ") || $0.contains("| carillon") }
  }

  /// Returns the examples of the man page, which are those in the help of each command.
  static func commandsOfManPage(in folder: TemporaryFolder) async throws -> [String] {
    let page = try await run(
      [Program.path(), "--generate-man-page"],
      environment: Program.environment(in: folder), in: folder)
    let text = page.output.replacingOccurrences(of: "\\-", with: "-")
      .replacingOccurrences(of: "\\e", with: "\\")
    var examples: [String] = []
    for line in text.split(separator: "\n") {
      if let last = examples.last, last.hasSuffix("|") {
        examples[examples.count - 1] = last + " " + line.trimmingPrefix(/\s+/)
      } else if line.starts(with: #/ {2,}(carillon|inotifywait|tail|make)\b/#) {
        // The explanation follows on the same line.
        examples.append(String(line.trimmingPrefix(/\s+/).split(separator: /\s{2,}/)[0]))
      }
      // The only example within a sentence.
      if let inline = line.firstMatch(of: /make 2>&1 \| carillon [^ ]+ \d+s/) {
        examples.append(String(inline.0))
      }
    }
    return examples
  }

  /// Returns the statements of a shell script, without comments; a continued statement is one.
  private static func statements(in text: String) -> [String] {
    var statements: [String] = []
    var open = ""
    for line in text.split(separator: "\n") {
      let code = line.replacing(/\s+#\s.*$/, with: "")
      open += open.isEmpty ? code : "\n" + code
      let isLoop = open.contains("while ") && !open.contains(/\bdone\b/)
      guard !isLoop, open.last != "|", open.last != "\\" else { continue }
      // A line of tmux's configuration.
      if let inner = open.firstMatch(of: /^set .*#\((.+)\)/) { open = String(inner.1) }
      statements.append(open)
      open = ""
    }
    return statements
  }
}
