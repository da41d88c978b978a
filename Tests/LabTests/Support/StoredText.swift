import Foundation
import Testing

/// A text that is kept in the repository because a program made it. `UPDATE_TEXTS=1 swift test`
/// makes it anew; what has changed is then for a person to read, in the diff.
struct StoredText {
  let url: URL

  /// - Parameter path: from the package's folder on.
  init(_ path: String) {
    url =
      URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../\(path)").standardizedFileURL
  }

  static var isUpdating: Bool { ProcessInfo.processInfo.environment["UPDATE_TEXTS"] == "1" }

  /// Expects the text to be what a program makes now.
  /// - Parameter masking: what may differ, replaced in both.
  func expect(
    _ text: String, masking: (String) -> String = { $0 },
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    if Self.isUpdating { try text.write(to: url, atomically: true, encoding: .utf8) }
    let stored = try String(contentsOf: url, encoding: .utf8)
    #expect(masking(stored) == masking(text), sourceLocation: sourceLocation)
  }
}
