import Dashboard

/// A piece of source code that a scene runs and shows.
///
/// The code lies between the lines `// region: NAME` and `// endregion` of a source file. A target
/// cannot compile a file and embed its text too, so `Listings.txt` has a copy, which is embedded.
/// `UPDATE_TEXTS=1 swift test --filter LabTests` writes the copy, and a test fails if it differs.
struct SourceListing: Sendable {
  let title: String
  /// The name of the region, which may have several parts.
  let region: String
  let isUnsafe: Bool

  init(_ title: String, region: String, isUnsafe: Bool = false) {
    self.title = title
    self.region = region
    self.isUnsafe = isUnsafe
  }

  /// The lines of the region; empty if there is no such region.
  var lines: [String] {
    let all = String(decoding: PackageResources.Listings_txt, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard let start = all.firstIndex(of: "// region: \(region)") else { return [] }
    return all[(start + 1)...].prefix { $0 != "// endregion" }.map(String.init)
  }

  var code: LabCode { LabCode(title, isUnsafe: isUnsafe, lines: lines) }
}
