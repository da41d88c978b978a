import Foundation
import Testing

/// The recipes of COOKBOOK.md.
struct Cookbook {
  private struct Block {
    var language: String
    var text: String
  }

  /// The code blocks by heading.
  private var recipes: [String: [Block]] = [:]

  init() throws {
    let file = repository.appendingPathComponent("COOKBOOK.md")
    var title = ""
    var block: Block?
    for line in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n") {
      if let open = block {
        if line == "```" {
          recipes[title, default: []].append(open)
          block = nil
        } else {
          block?.text += line + "\n"
        }
      } else if line.hasPrefix("## ") {
        title = String(line.dropFirst(3))
      } else if line.hasPrefix("```") {
        block = Block(language: String(line.dropFirst(3)), text: "")
      }
    }
  }

  var titles: [String] { recipes.keys.sorted() }

  /// Returns a block with some text replaced; the old text must be present.
  func block(
    _ title: String, _ language: String = "sh", number: Int = 1,
    changing changes: KeyValuePairs<String, String> = [:]
  ) throws -> String {
    let blocks = (recipes[title] ?? []).filter { $0.language == language }
    try #require(blocks.count >= number, "\(title) has no block \(number) of \(language)")
    var text = blocks[number - 1].text
    for (old, new) in changes {
      try #require(text.contains(old), "\(title) no longer contains “\(old)”")
      text = text.replacingOccurrences(of: old, with: new)
    }
    return text
  }
}

/// The home folder of a recipe, with the program and stubs on its path.
struct RecipeHome {
  let folder: TemporaryFolder
  private var home: String { folder.path("home") }

  init() throws {
    folder = try TemporaryFolder()
    try FileManager.default.createDirectory(
      atPath: "\(home)/bin", withIntermediateDirectories: true)
  }

  func environment() throws -> [String: String] {
    let program = URL(fileURLWithPath: try Program.path()).deletingLastPathComponent().path
    let usual = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    return Program.environment(in: folder, with: ["PATH": "\(home)/bin:\(program):\(usual)"])
  }

  func path(_ name: String) -> String { "\(home)/\(name)" }

  func write(_ text: String, to name: String) throws {
    try text.write(toFile: path(name), atomically: false, encoding: .utf8)
  }

  func append(_ line: String, to name: String) throws {
    let file = try #require(FileHandle(forWritingAtPath: path(name)))
    try file.seekToEnd()
    try file.write(contentsOf: Data("\(line)\n".utf8))
    try file.close()
  }

  func text(_ name: String) -> String {
    (try? String(contentsOfFile: path(name), encoding: .utf8)) ?? ""
  }

  func lines(_ name: String) -> [String] { text(name).split(separator: "\n").map(String.init) }

  /// Creates a stub program on the path.
  func addStub(_ name: String, _ script: String) async throws {
    try await addProgram("#!/bin/sh\n\(script)\n", to: "bin/\(name)")
  }

  /// Creates an executable script. Another process writes it: this process may be starting processes for other
  /// tests, which briefly inherit its open files, and the system does not run a program that is open for
  /// writing. A shell would then run the next program on the path.
  func addProgram(_ script: String, to name: String) async throws {
    let written = try await EndToEndTests.run(
      ["sh", "-c", #"printf %s "$1" >"$0"; chmod 755 "$0""#, path(name), script],
      environment: try environment(), in: folder)
    try #require(written.ending == .exited(0), "\(written)")
  }

  /// Runs a recipe to its end.
  func run(_ recipe: String) async throws -> Finished {
    try await EndToEndTests.run(
      ["sh", "-c", "cd \"$HOME\"; \(recipe)"], environment: try environment(), in: folder)
  }

  /// Runs an endless recipe until a condition is true, with its output in the file `output`.
  func run(_ recipe: String, until isDone: () async throws -> Bool) async throws {
    let child = try ChildProcess(
      ["sh", "-c", "cd \"$HOME\"; \(recipe)"], environment: try environment(),
      streams: .init(output: path("output"), error: path("error")))
    defer {
      // Includes all processes that it has started.
      kill(-child.pid, SIGTERM)
      kill(-child.pid, SIGKILL)
      child.end()
    }
    #expect(try await eventually(isDone), "\(text("output"))\(text("error"))")
  }
}

/// Runs a test with a recipe folder, which is removed afterwards.
func withRecipeHome(_ test: (RecipeHome) async throws -> Void) async throws {
  try await ConcurrencyLimit.terminals.run {
    let home = try RecipeHome()
    defer { home.folder.remove() }
    try await test(home)
  }
}
