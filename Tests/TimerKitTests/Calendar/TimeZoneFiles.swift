#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The folder of the tables and the scripts that make them.
let calendarFolder =
  "\(#filePath)".split(separator: "/").dropLast(3).map { "/\($0)" }.joined() + "/Calendar"

/// The folder of the system's time zones.
let zoneFolder = "/usr/share/zoneinfo"

/// True if the system has time zones.
let hasZones = access("\(zoneFolder)/Europe/Berlin", R_OK) == 0

/// Returns the bytes that a file contains, or that a command prints; none if there is no such file.
func bytes(ofFile path: String? = nil, output command: String? = nil) -> [UInt8] {
  let file = path.flatMap { fopen($0, "r") } ?? command.flatMap { popen($0, "r") }
  guard let file else { return [] }
  defer { _ = path == nil ? pclose(file) : fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
    bytes += buffer.prefix(count)
  }
  return bytes
}

/// Returns the lines of a table.
func lines(_ bytes: [UInt8]) -> [Substring] {
  String(decoding: bytes, as: UTF8.self).split(separator: "\n")
}

/// A TZif file as RFC 9636 describes it.
struct ZoneFile {
  var version: Unicode.Scalar? = "2"
  var transitions: [(at: Int64, type: UInt8)] = []
  var offsets: [Int32] = [0]
  var leapSeconds: UInt32 = 0
  var footer: String? = "\n\n"

  var bytes: [UInt8] {
    block(timeSize: 4)
      + (version == nil ? [] : block(timeSize: 8) + Array((footer ?? "").utf8))
  }

  private func block(timeSize: Int) -> [UInt8] {
    func number(_ value: Int64, _ size: Int) -> [UInt8] {
      (0..<size).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
    let counts = [0, 0, Int(leapSeconds), transitions.count, offsets.count, 4]
    var bytes = Array("TZif".utf8) + [version.map { UInt8(ascii: $0) } ?? 0]
    bytes += [UInt8](repeating: 0, count: 15)
    bytes += counts.flatMap { number(Int64($0), 4) }
    bytes += transitions.flatMap { number($0.at, timeSize) } + transitions.map(\.type)
    bytes += offsets.flatMap { number(Int64($0), 4) + [0, 0] }
    bytes += Array("ABC\0".utf8)
    return bytes + [UInt8](repeating: 0, count: Int(leapSeconds) * (timeSize + 4))
  }
}
