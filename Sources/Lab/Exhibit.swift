import Dashboard

/// A piece of the source that runs in the lab, to be shown.
///
/// The files under `Exhibits` are links to source files, embedded as text: what is shown is what
/// runs. Of a file, the lines between `// shown` and `// end` are shown, without those that only log.
struct Exhibit: Sendable {
  let title: String
  let isUnsafe: Bool
  /// The whole file: the lines to be shown are looked for when they are, not when the lab opens.
  private let source: [UInt8]

  init(_ title: String, isUnsafe: Bool = false, source: [UInt8]) {
    self.title = title
    self.isUnsafe = isUnsafe
    self.source = source
  }

  var lines: [String] {
    let all = String(decoding: source, as: UTF8.self).split(
      separator: "\n", omittingEmptySubsequences: false
    ).map(String.init)
    return Array(Self.regions(all).map(Self.dedented).joined(separator: [""]))
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
      case let text where text.hasPrefix("log.note("): break
      default: if isShown { regions[regions.count - 1].append(line) }
      }
    }
    return regions
  }

  /// Without the indentation that all lines share.
  private static func dedented(_ lines: [String]) -> [String] {
    let texts = lines.filter { !$0.allSatisfy { $0 == " " } }
    let indent = texts.map { $0.prefix { $0 == " " }.count }.min() ?? 0
    return lines.map { String($0.dropFirst(indent)) }
  }
}
