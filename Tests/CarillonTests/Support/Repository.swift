import Foundation

/// The folder of the package, with its pages.
let repository = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().appendingPathComponent("../../..").standardizedFileURL
