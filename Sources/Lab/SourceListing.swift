import Dashboard

/// A piece of source code that a scene runs and shows.
///
/// The code lies between the lines `// region: NAME` and `// endregion` of a source file. A target
/// cannot compile a file and embed its text too, so `Listings.txt` has a copy, which is embedded.
/// `UPDATE_TEXTS=1 swift test --filter LabTests` writes the copy, and a test fails if it differs.
extension LabCode {
  /// Creates a piece with the lines of a region, which may have several parts; empty if there is no such region.
  init(_ title: String, region: String, isCounterexample: Bool = false) {
    self.init(title, isCounterexample: isCounterexample, lines: Self.regions[region] ?? [])
  }

  /// The lines of each region.
  private static let regions: [String: [String]] = {
    var regions: [String: [String]] = [:]
    var name: String?
    let text = String(decoding: PackageResources.Listings_txt, as: UTF8.self)
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("// region: ") {
        name = String(line.dropFirst("// region: ".count))
      } else if line == "// endregion" {
        name = nil
      } else if let name {
        regions[name, default: []].append(String(line))
      }
    }
    return regions
  }()
}
