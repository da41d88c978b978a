import Fuzzing
import Testing

@testable import TimerKit

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

@Suite struct TimeZoneTests {
  /// Before the first transition, between two, and after the last one, in all versions.
  @Test(arguments: [nil, "2", "3", "4"] as [Unicode.Scalar?])
  func anOffsetAppliesFromItsTransition(_ version: Unicode.Scalar?) throws {
    let file = ZoneFile(
      version: version, transitions: [(-1000, 1), (5, 0), (2_000_000_000, 2)],
      offsets: [600, -3600, 90])
    let zone = try #require(TimeZoneFile(file.bytes))
    let offsets = [-1_000_000, -1001, -1000, 4, 5, 1_999_999_999, 2_000_000_000, 9_000_000_000].map
    {
      zone.offset(at: $0)
    }
    #expect(offsets == [600, 600, -3600, -3600, 600, 600, 90, 90])
  }

  @Test func theFooterAppliesAfterTheLastTransition() throws {
    let file = ZoneFile(
      transitions: [(0, 1)], offsets: [0, 3600], footer: "\nCET-1CEST,M3.5.0,M10.5.0/3\n")
    let zone = try #require(TimeZoneFile(file.bytes))
    #expect(zone.offset(at: -1) == 0)
    // 29 March 2026, 1:00 UTC.
    #expect(zone.offset(at: 1_774_745_999) == 3600)
    #expect(zone.offset(at: 1_774_746_000) == 7200)
    let withoutTransitions = try #require(TimeZoneFile(ZoneFile(footer: "\n<+03>-3\n").bytes))
    #expect(withoutTransitions.offset(at: 0) == 10_800)
  }

  @Test func utcNeedsNoFile() throws {
    let utc = TimeZoneRules.utc
    #expect(utc == (try TimeZoneRules("UTC")) && utc.description == "UTC")
    for time in [Int64.min, 0, .max] {
      #expect(utc.secondsFromUTC(at: WallInstant(nanosecondsSince1970: time)) == 0)
    }
  }

  @Test func invalidFilesAreRefused() {
    #expect(TimeZoneFile([]) == nil)
    #expect(TimeZoneFile(Array("TZif2".utf8)) == nil)
    #expect(TimeZoneFile(ZoneFile(transitions: [(0, 1)]).bytes) == nil, "unknown type")
    #expect(TimeZoneFile(ZoneFile(transitions: [(5, 0), (5, 0)]).bytes) == nil, "not in order")
    #expect(TimeZoneFile(ZoneFile(offsets: []).bytes) == nil, "no type")
    #expect(TimeZoneFile(ZoneFile(offsets: [93_601]).bytes) == nil, "offset")
    #expect(TimeZoneFile(ZoneFile(offsets: [.min]).bytes) == nil, "offset")
    #expect(TimeZoneFile(ZoneFile(leapSeconds: 1).bytes) == nil, "leap second")
    for footer in [nil, "", "\n", "\nUTC0", "x\n\n", "\nUTC\n", "\nCET-1CEST\n"] {
      #expect(TimeZoneFile(ZoneFile(footer: footer).bytes) == nil, "\(footer ?? "")")
    }
    // Counts that no file can have.
    for position in 20..<44 {
      var bytes = ZoneFile().bytes
      bytes[position] = 0xFF
      #expect(TimeZoneFile(bytes) == nil, "byte \(position)")
    }
  }

  /// The instants at which the offset changes in 2026 and 2028, a leap year.
  @Test(arguments: [
    ("EST5EDT,M3.2.0,M11.1.0", -18_000, [(1_772_953_200, -14_400), (1_793_512_800, -18_000)]),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", -7200, [(1_774_746_000, -3600), (1_792_890_000, -7200)]),
    // Southern summer, and a shift of half an hour.
    (
      "<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 39_600,
      [(1_775_314_800, 37_800), (1_791_041_400, 39_600)]
    ),
    // 1 March: day 60 without a leap day, and 59 from 0.
    ("AAA0BBB,J60/0,J61/0", 0, [(1_772_323_200, 3600), (1_772_406_000, 0)]),
    ("AAA0BBB,59/0,60/0", 0, [(1_772_323_200, 3600), (1_772_406_000, 0)]),
    // The time of a change can be days later.
    ("EET-2EEST,M3.4.4/50,M10.4.4/50", 7200, [(1_774_656_000, 10_800), (1_792_796_400, 7200)]),
  ])
  func footersFollowTheRulesOfPOSIX(_ text: String, _ first: Int, _ changes: [(Int, Int)]) throws {
    let zone = try #require(PosixTimeZone(text))
    var offset = first
    for (change, new) in changes {
      #expect(zone.offset(at: Int64(change) - 1) == Int64(offset), "before \(change)")
      #expect(zone.offset(at: Int64(change)) == Int64(new), "at \(change)")
      offset = new
    }
  }

  @Test func daysOfTheYearCountTheLeapDayOrNot() throws {
    // 2028-03-01 and 2028-02-29.
    let julian = try #require(PosixTimeZone("AAA0BBB,J60/0,J300"))
    #expect([1_835_481_599, 1_835_481_600].map { julian.offset(at: $0) } == [0, 3600])
    let counted = try #require(PosixTimeZone("AAA0BBB,59/0,300"))
    #expect([1_835_395_199, 1_835_395_200].map { counted.offset(at: $0) } == [0, 3600])
  }

  /// The example of RFC 9636 for summer time all year.
  @Test func summerTimeCanLastAllYear() throws {
    let zone = try #require(PosixTimeZone("XXX3EDT4,0/0,J365/23"))
    for second in stride(from: 1_767_225_600 as Int64, to: 1_900_000_000, by: 3600) {
      #expect(zone.offset(at: second) == -14_400)
    }
  }

  @Test(arguments: [
    "", "AB0", "CET", "CET-25", "CET-1:60", "CET-1:00:60", "CET-1CEST", "CET-1CEST,M3.5.0",
    "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0",
    "CET-1CEST,M3.5,M10.5.0", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,J0,J1",
    "CET-1CEST,J366,J1", "CET-1CEST,366,1", "CET-1CEST,,1", "CET-1CEST,M3.5.0,M10.5.0,1",
    "CET-1:00:00:00", "CET--1", "CET-+1", "<+03-3", "CET-1CEST,M3.5.0/,M10.5.0", "ÄÖÜ-1",
    "CET-99999999999999999999",
  ])
  func invalidFootersAreRefused(_ text: String) {
    #expect(PosixTimeZone(text) == nil)
  }

  @Test(
    arguments: [
      "", ".", "..", "../zoneinfo/UTC", "Europe/../UTC", "/etc/localtime", "Europe", "Europe/",
      "Europe/Berlin\0", "europe/berlin", "Europe/Atlantis", "tzdata.zi", "Ä",
      String(repeating: "a", count: 65),
    ])
  func unknownNamesAreRefused(_ name: String) {
    let error = WallScheduleError.invalid(
      "time zone", name,
      expected: "one of the package tzdata in \(zoneFolder), such as Europe/Berlin")
    #expect(throws: error) { try TimeZoneRules(name) }
  }

  /// A process has one environment.
  @Test func theFolderComesFromTheEnvironment() async {
    await #expect(processExitsWith: .success) {
      var folder = Array("/tmp/timerkit-zones-XXXXXX".utf8CString)
      let path = try #require(mkdtemp(&folder).map { String(cString: $0) })
      defer { rmdir(path) }
      setenv("TZDIR", path, 1)
      let error = WallScheduleError.invalid(
        "time zone", "Own", expected: "one of the package tzdata in \(path), such as Europe/Berlin")
      #expect(throws: error) { try TimeZoneRules("Own") }
      // A pipe does not block.
      mkfifo("\(path)/Own", 0o600)
      #expect(throws: error) { try TimeZoneRules("Own") }
      unlink("\(path)/Own")
      func write(_ bytes: [UInt8]) {
        guard let file = fopen("\(path)/Own", "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
      }
      defer { unlink("\(path)/Own") }
      write(ZoneFile(offsets: [3600]).bytes)
      let zone = try TimeZoneRules("Own")
      #expect(zone.secondsFromUTC(at: WallInstant(nanosecondsSince1970: -1)) == 3600)
      #expect("\(zone)" == "Own")
      write(ZoneFile(offsets: [3600]).bytes.dropLast())
      let damaged = WallScheduleError.invalid(
        "file of time zone", "Own", expected: "TZif without leap seconds")
      #expect(throws: damaged) { try TimeZoneRules("Own") }
      // A file that is too large.
      write([UInt8](repeating: 0, count: 1 << 16 + 1))
      #expect(throws: damaged) { try TimeZoneRules("Own") }
      // A value keeps its rules.
      #expect(zone.secondsFromUTC(at: WallInstant(nanosecondsSince1970: 0)) == 3600)
    }
  }

  @Test(.enabled(if: hasZones, "install tzdata"))
  func twelveZonesHaveTheOffsetsOfPython() throws {
    let table = lines(bytes(ofFile: "\(calendarFolder)/zones.txt"))
    #expect(table.count == 12)
    for line in table {
      let words = line.split(separator: " ")
      let zone = try TimeZoneRules(String(words[0])).localTime
      var offset = try #require(Int64(words[1]))
      #expect(zone.offset(0) == offset, "\(words[0])")
      for word in words.dropFirst(2) {
        let change = word.split(separator: ":").compactMap { Int64($0) }
        #expect(zone.offset(change[0] - 1) == offset, "\(words[0]) before \(change)")
        offset = change[1]
        #expect(zone.offset(change[0]) == offset, "\(words[0]) at \(change)")
      }
    }
  }

  /// The process's own time zone has the same occurrences.
  @Test(.enabled(if: hasZones, "install tzdata"))
  func aZoneOfItsOwnEqualsThatOfTheProcess() async {
    await #expect(processExitsWith: .success) {
      for name in ["Europe/Berlin", "America/Havana", "Pacific/Apia", "America/Nuuk"] {
        setenv("TZ", name, 1)
        let zone = try TimeZoneRules(name)
        for cron in ["30 2 * * *", "0 0 * * 5", "*/20 0-3 * * *", "15 23 7 * *"] {
          let schedule = try WallSchedule(cron: cron)
          let own = schedule.inTimeZone(zone)
          var instant = WallInstant(nanosecondsSince1970: 1_290_000_000_000_000_000)
          for _ in 0..<3000 {
            let next = try #require(schedule.next(after: instant))
            #expect(own.next(after: instant) == next, "\(name) \(cron) after \(instant)")
            instant = next
          }
        }
      }
    }
  }
}

/// No file traps, and none takes long.
@Suite struct TimeZoneFuzzTests {
  private static let originals = [
    bytes(ofFile: "\(zoneFolder)/Europe/Berlin"), bytes(ofFile: "\(zoneFolder)/Africa/Casablanca"),
    ZoneFile(
      version: "3", transitions: [(-1000, 1), (5, 0)], offsets: [600, -3600],
      footer: "\n<-02>2<-01>,M3.5.0/-1,J300/0\n"
    ).bytes,
    ZoneFile(version: nil, transitions: [(-1000, 1), (5, 0)], offsets: [600, -3600]).bytes,
  ].filter { !$0.isEmpty }

  private static func use(_ bytes: [UInt8]) -> String? {
    guard let file = TimeZoneFile(bytes) else { return nil }
    let zone = LocalTimeZone(offset: file.offset)
    for instant in [-9_223_372_037, -1, 0, 1_774_745_999, 4_000_000_000, 9_223_372_036] as [Int64] {
      let offset = zone.offset(instant)
      if abs(offset) > LocalTimeZone.maximumOffset { return "offset \(offset)" }
      let reached = zone.firstInstant(atLocalTime: instant)
      if abs(reached - instant) > 2 * LocalTimeZone.maximumOffset + 14_400 {
        return "\(instant) is reached at \(reached)"
      }
    }
    return nil
  }

  /// A file without its end is refused, for each length.
  @Test func truncatedFilesAreRefused() {
    for original in Self.originals {
      #expect(TimeZoneFile(original) != nil)
      for length in 0..<original.count {
        if TimeZoneFile(Array(original.prefix(length))) != nil {
          Issue.record("\(length) of \(original.count) bytes are accepted")
        }
      }
    }
  }

  @Test func mutatedFilesDoNotTrap() {
    let found = failures(
      sequences: 4_000, steps: 1..<12, setup: { $0.below(Self.originals.count) },
      step: { random in (random.below(1 << 12), UInt8(random.below(256)), random.below(4)) },
      failure: { index, changes in
        var bytes = Self.originals[index]
        for (position, value, kind) in changes {
          let position = position % bytes.count
          switch kind {
          case 0: bytes[position] = value
          case 1: bytes[position] ^= 1 << (value % 8)
          case 2: bytes.insert(value, at: position)
          // The counts and the first bytes of the blocks.
          default: bytes[position % 64] = value
          }
        }
        return Self.use(bytes)
      })
    #expect(found == [])
  }

  /// Compares with Python's zoneinfo, if it is there. `make fuzz` takes more instants.
  @Test(.enabled(if: hasZones, "install tzdata"))
  func anyZoneHasTheOffsetsOfPython() throws {
    let seconds = getenv("FUZZ_SECONDS").flatMap { Int(String(cString: $0)) }
    let count = seconds.map { $0 * 2_000 } ?? 1_000
    let seed = getenv("FUZZ_SEED").map { String(cString: $0) } ?? "1"
    let output = lines(
      bytes(output: "python3 \(calendarFolder)/zones --random \(seed) \(count) 2>/dev/null"))
    for line in output {
      let words = line.split(separator: " ")
      let zone = try TimeZoneRules(String(words[0]))
      let second = try #require(Int64(words[1]))
      let offset = zone.secondsFromUTC(
        at: WallInstant(nanosecondsSince1970: second * 1_000_000_000))
      #expect(offset == Int(words[2]), "\(line)")
    }
    if seconds != nil { printCases("anyZoneHasTheOffsetsOfPython()", output.count) }
  }
}

/// Prints the number of cases as the targets of `make fuzz` do.
func printCases(_ name: String, _ count: Int) {
  let text = Array("\(name): \(count) cases\n".utf8)
  _ = write(2, text, text.count)
}
