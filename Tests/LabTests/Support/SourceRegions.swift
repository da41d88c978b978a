import Foundation

/// The regions of source code that scenes show, collected from the files of the lab.
///
/// A region lies between `// region: NAME` and `// endregion`. Several parts with one name form one
/// region.
struct SourceRegions {
  struct MalformedRegion: Error, Equatable {
    var line: Int
    var problem: String
  }

  /// The lines of every region by its name.
  private(set) var lines: [String: [String]] = [:]

  /// Collects the regions of all Swift files in a folder, in the order of their paths.
  init(folder: URL) throws {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    let sources = (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
    for file in sources.sorted(by: { $0.path < $1.path }) {
      try add(String(contentsOf: file, encoding: .utf8))
    }
  }

  init(source: String) throws {
    try add(source)
  }

  /// The regions as text, in the order of their names.
  var text: String {
    lines.sorted { $0.key < $1.key }.map { name, lines in
      (["// region: \(name)"] + lines + ["// endregion", ""]).joined(separator: "\n")
    }.joined(separator: "\n")
  }

  private mutating func add(_ source: String) throws {
    var open: (name: String, lines: [Substring])?
    let all = source.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in all.enumerated() {
      let text = line.drop { $0 == " " }
      if text.hasPrefix("// region: ") {
        guard open == nil else {
          throw MalformedRegion(line: index + 1, problem: "region inside of a region")
        }
        open = (String(text.dropFirst("// region: ".count)), [])
      } else if text == "// endregion" {
        guard let region = open else {
          throw MalformedRegion(line: index + 1, problem: "end without a region")
        }
        let earlier = lines[region.name].map { $0 + [""] } ?? []
        lines[region.name] = earlier + Self.withoutIndentation(region.lines)
        open = nil
      } else {
        open?.lines.append(line)
      }
    }
    if open != nil { throw MalformedRegion(line: all.count, problem: "region without an end") }
  }

  /// Returns the lines without the indentation that all of them share.
  private static func withoutIndentation(_ lines: [Substring]) -> [String] {
    let texts = lines.filter { !$0.allSatisfy { $0 == " " } }
    let indent = texts.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(indent)) }
  }
}
