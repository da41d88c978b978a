import Platform

/// How many random cases are played, and which: the environment says so.
///
/// - `FUZZ_SEED`: the seed of the first case; each case after it has the next one.
/// - `FUZZ_CASES`: how many cases; with 1 the case is printed before it is played.
/// - `FUZZ_SECONDS`: each target goes on for that long, however many cases that is.
/// - `FUZZ_NOTES`: a folder where each target notes the case at hand, for one that ends the process.
struct Plan: Sendable {
  let seed = number("FUZZ_SEED") ?? 20_260_101
  let cases: UInt64
  /// `nil` where the number of cases is the end of it.
  let end: ContinuousClock.Instant?
  let isSingle: Bool
  let notes: String?

  init(usualCases: UInt64) {
    let asked = number("FUZZ_CASES")
    let seconds = number("FUZZ_SECONDS")
    cases = asked ?? (seconds == nil ? usualCases : .max)
    end = seconds.map { .now + .seconds($0) }
    isSingle = asked == 1
    notes = getenv("FUZZ_NOTES").map { String(cString: $0) }
  }

  func goes(on index: UInt64) -> Bool {
    index < cases && end.map { ContinuousClock.now < $0 } != false
  }
}

private func number(_ name: String) -> UInt64? {
  getenv(name).flatMap { UInt64(String(cString: $0)) }
}

/// At once, whatever becomes of the process.
func tell(_ text: String) {
  let bytes = Array((text + "\n").utf8)
  _ = write(2, bytes, bytes.count)
}

/// A file with the seed of the case at hand; it is gone when the cases have been played.
final class CaseNote {
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
