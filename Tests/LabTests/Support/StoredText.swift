import Foundation
import Testing

/// A generated text that is stored in the repository. `UPDATE_TEXTS=1 swift test` writes it again;
/// read the diff afterwards.
struct StoredText {
  let url: URL

  /// - Parameter path: The path from the package's folder.
  init(_ path: String) {
    url =
      URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../../\(path)").standardizedFileURL
  }

  static var rewrites: Bool { ProcessInfo.processInfo.environment["UPDATE_TEXTS"] == "1" }

  /// Expects the stored text to equal a generated text.
  /// - Parameter masking: Replaces the parts that may differ, in both texts.
  func expect(
    _ text: String, masking: (String) -> String = { $0 },
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    // Where only masked parts differ, the text stays: the guide page contains it, and is written in
    // parallel.
    if Self.rewrites,
      (try? String(contentsOf: url, encoding: .utf8)).map(masking) != masking(text)
    {
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    let stored = try String(contentsOf: url, encoding: .utf8)
    #expect(masking(stored) == masking(text), sourceLocation: sourceLocation)
  }
}
