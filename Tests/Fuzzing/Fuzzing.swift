import Platform

/// The number and the seeds of random cases, from environment variables.
///
/// - `FUZZ_SEED`: The seed of the first case; each further case has the next number as its seed.
/// - `FUZZ_CASES`: The number of cases; with 1 the case is printed before it runs.
/// - `FUZZ_SECONDS`: The time for each target, with any number of cases.
/// - `FUZZ_NOTES`: A folder in which each target stores the seed of its current case, which is left
///   there if the case ends the process.
struct Plan: Sendable {
  let seed = number("FUZZ_SEED") ?? 20_260_101
  let cases: UInt64
  /// The end of the run; `nil` if the number of cases limits it.
  let end: ContinuousClock.Instant?
  let isSingle: Bool
  let seedFolder: String?

  init(usualCases: UInt64) {
    let count = number("FUZZ_CASES")
    let seconds = number("FUZZ_SECONDS")
    cases = count ?? (seconds == nil ? usualCases : .max)
    end = seconds.map { .now + .seconds($0) }
    isSingle = count == 1
    seedFolder = getenv("FUZZ_NOTES").map { String(cString: $0) }
  }

  /// Returns true if the case with an index is part of the run.
  func includes(_ index: UInt64) -> Bool {
    index < cases && end.map { ContinuousClock.now < $0 } != false
  }
}

private func number(_ name: String) -> UInt64? {
  getenv(name).flatMap { UInt64(String(cString: $0)) }
}

/// Prints a line to standard error without a buffer, so that it is not lost if the process ends.
func printError(_ text: String) {
  let bytes = Array((text + "\n").utf8)
  _ = write(2, bytes, bytes.count)
}

/// A file with the seed of the current case, which is removed after the last case.
final class SeedFile {
  private let path: String
  private let file: Int32

  init?(folder: String?, name: String) {
    guard let folder else { return nil }
    path = "\(folder)/\(name)"
    file = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
    if file < 0 { return nil }
  }

  func write(_ seed: UInt64) {
    let bytes = Array("\(seed)\n".utf8)
    _ = pwrite(file, bytes, bytes.count, 0)
  }

  func remove() {
    close(file)
    unlink(path)
  }
}
