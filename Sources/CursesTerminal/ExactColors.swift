import Platform

/// A variant of a terminal's compiled terminfo entry with exact colors, for a terminal that draws them although the entry
/// of its type knows only 256.
///
/// The format is that of term(5): a header, names, flags, numbers, and the offsets of strings in a table, then the same
/// for capabilities by name. ncurses reads the variant from a folder that exists only while the screen is opened.
enum ExactColors {
  static let terminalType = "carillon-direct"

  // The positions of capabilities in an entry, as in <term.h>.
  private static let (canChange, maxColors, maxPairs) = (27, 13, 14)
  private static let (foreground, background) = (359, 360)

  /// Returns true if an environment says that its terminal draws exact colors. In `screen`, they would not arrive.
  static func areAvailable(in environment: [String: String], terminalType: String) -> Bool {
    ["truecolor", "24bit"].contains(environment["COLORTERM"]) && !terminalType.hasPrefix("screen")
      && !terminalType.hasSuffix("-direct")
  }

  /// Returns the variant of an entry; `nil` if that is no entry with 256 colors.
  static func variant(of entry: [UInt8]) -> [UInt8]? {
    func short(at offset: Int) -> Int? {
      guard offset >= 0, offset + 1 < entry.count else { return nil }
      return Int(Int16(truncatingIfNeeded: Int(entry[offset]) | Int(entry[offset + 1]) << 8))
    }
    let header = (0..<6).compactMap { short(at: 2 * $0) }
    guard header.count == 6, [0x11A, 0x21E].contains(header[0]),
      header[1...].allSatisfy({ $0 >= 0 })
    else { return nil }
    let numberSize = header[0] == 0x21E ? 4 : 2
    let booleansStart = 12 + header[1]
    let numbersStart = (booleansStart + header[2] + 1) / 2 * 2
    let offsetsStart = numbersStart + header[3] * numberSize
    let tableStart = offsetsStart + 2 * header[4]
    guard tableStart + header[5] <= entry.count else { return nil }

    var booleans = Array(entry[booleansStart..<(booleansStart + header[2])])
    if booleans.indices.contains(canChange) { booleans[canChange] = 0 }
    // A number of four bytes is below 2^15 in all entries without exact colors.
    var numbers = (0..<header[3]).map { short(at: numbersStart + $0 * numberSize) ?? -1 }
    guard numbers.count > maxPairs, numbers[maxColors] == 256 else { return nil }
    numbers[maxColors] = 1 << 24
    numbers[maxPairs] = 0x7FFF
    var offsets = (0..<header[4]).map { short(at: offsetsStart + 2 * $0) ?? -1 }
    offsets += Array(repeating: -1, count: max(0, background + 1 - offsets.count))
    var table = Array(entry[tableStart..<(tableStart + header[5])])
    for (position, digit) in [(foreground, 3), (background, 4)] {
      offsets[position] = table.count
      table += Self.string(digit).utf8 + [0]
    }
    guard table.count < Int(Int16.max) else { return nil }

    var result: [UInt8] = []
    func add(_ number: Int, bytes: Int = 2) {
      for byte in 0..<bytes { result.append(UInt8(truncatingIfNeeded: number >> (8 * byte))) }
    }
    func align() { if result.count % 2 == 1 { result.append(0) } }
    let names = Array("\(terminalType)|exact colors".utf8) + [0]
    for number in [0x21E, names.count, booleans.count, numbers.count, offsets.count, table.count] {
      add(number)
    }
    result += names + booleans
    align()
    for number in numbers { add(number, bytes: 4) }
    for offset in offsets { add(offset) }
    result += table
    align()
    // One capability by name: the Boolean RGB, so that curses takes a number for the parts of a color.
    let name = Array("RGB".utf8) + [0]
    for number in [1, 0, 0, 1, name.count] { add(number) }
    result += [1, 0]
    add(0)
    return result + name
  }

  /// Returns the string that sets a color: one of the terminal's own sixteen, or another one by its parts.
  private static func string(_ digit: Int) -> String {
    let own = "%?%p1%{8}%<%t\(digit)%p1%d%e%p1%{16}%<%t\(digit == 3 ? 9 : 10)%p1%{8}%-%d"
    let parts = "%p1%{65536}%/%d;%p1%{256}%/%{255}%&%d;%p1%{255}%&%d"
    return "\u{1B}[\(own)%e\(digit)8;2;\(parts)%;m"
  }

  /// Returns the compiled entry of a terminal type; `nil` if there is none in the usual folders.
  static func entry(of terminalType: String, _ environment: [String: String]) -> [UInt8]? {
    guard let first = terminalType.utf8.first, !terminalType.contains("/") else { return nil }
    var folders = [environment["TERMINFO"], environment["HOME"].map { "\($0)/.terminfo" }]
      .compactMap(\.self)
    folders += (environment["TERMINFO_DIRS"] ?? "").split(separator: ":").map(String.init)
    folders += ["/etc/terminfo", "/lib/terminfo", "/usr/share/terminfo"]
    let letters = [String(decoding: [first], as: UTF8.self), String(first, radix: 16)]
    for folder in folders {
      for letter in letters {
        if let bytes = contents(ofSmallFile: "\(folder)/\(letter)/\(terminalType)") { return bytes }
      }
    }
    return nil
  }

  /// Performs an action while ncurses finds an entry under ``terminalType``, in a folder that is removed afterwards.
  /// - Returns: The result of the action; `nil` if the entry cannot be written.
  static func withEntry<Result>(_ entry: [UInt8], _ action: () -> Result) -> Result? {
    let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(temporary)/carillon-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { return nil }
    let made = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    // By the first letter, or by its number where file names do not distinguish case.
    let folders = ["\(made)/c", "\(made)/63"]
    defer {
      for folder in folders {
        unlink("\(folder)/\(terminalType)")
        rmdir(folder)
      }
      rmdir(made)
    }
    for folder in folders {
      guard mkdir(folder, 0o700) == 0 else { return nil }
      let descriptor = open("\(folder)/\(terminalType)", O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      guard writeAll(entry, to: descriptor) == 0 else { return nil }
    }
    let before = getenv("TERMINFO").map { String(cString: $0) }
    setenv("TERMINFO", made, 1)
    defer { if let before { setenv("TERMINFO", before, 1) } else { unsetenv("TERMINFO") } }
    return action()
  }
}
