import Dashboard

/// A piece of the source that runs in the lab, to be shown.
///
/// The files under `Exhibits` are links to source files, embedded as text: what is shown is what
/// runs. Of a file, the lines between `// shown` and `// end` are shown, or all but its imports.
struct Exhibit: Sendable {
  let title: String
  let isUnsafe: Bool
  let lines: [String]

  init(_ title: String, isUnsafe: Bool = false, source: [UInt8]) {
    self.title = title
    self.isUnsafe = isUnsafe
    let all = String(decoding: source, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    let regions = Self.regions(all)
    lines =
      regions.isEmpty
      ? Self.trimmed(all.filter { !$0.hasPrefix("import ") })
      : Array(regions.map(Self.trimmed).joined(separator: [""]))
  }

  var code: LabCode { LabCode(title, isUnsafe: isUnsafe, lines: lines) }

  private static func regions(_ lines: [String]) -> [[String]] {
    var isShown = false
    var regions: [[String]] = []
    for line in lines {
      switch line.drop(while: { $0 == " " }) {
      case "// shown":
        regions.append([])
        isShown = true
      case "// end": isShown = false
      default: if isShown { regions[regions.count - 1].append(line) }
      }
    }
    return regions
  }

  /// Without blank lines at both ends, and without the indentation that all lines share.
  private static func trimmed(_ lines: [String]) -> [String] {
    let isBlank = { (line: String) in line.allSatisfy { $0 == " " } }
    let text = Array(lines.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
    let indent =
      text.filter { !isBlank($0) }.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return text.map { String($0.dropFirst(indent)) }
  }
}
