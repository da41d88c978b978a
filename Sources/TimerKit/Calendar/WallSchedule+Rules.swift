extension WallSchedule {
  /// The times of day and the days of a schedule. The days that repeat are sets of bits.
  struct Rules: Sendable, Hashable {
    /// The seconds since midnight, in order.
    var times: [Int32]
    /// A Boolean value that indicates whether the times are those that a clock shows: they occur again if it is set
    /// back, and not at all if it skips them. Otherwise each occurs once.
    var followsClock = false
    /// The days that the sets stand for; `nil` for those of a cron expression.
    var dayKind: Days?
    var cron: String?
    var timeZone: TimeZoneRules?
    /// The first and the last day, since 1970-01-01.
    var firstDay = Calendar.firstDay
    var lastDay = Calendar.lastDay
    var step: Step?
    /// The days without an occurrence, in order.
    var excludedDays: [Int32] = []
    /// The bits 1 to 12.
    var months: UInt16 = 0x1FFE
    /// The bits 1 to 31.
    var days = Self.everyDay
    /// The bits 1 to 31, from the end of the month: 1 is the last day.
    var daysFromEnd: UInt32 = 0
    /// Seven bits, from Monday, for each of the first to the fifth such day of a month, and for the last one.
    var weekdays = Self.everyWeekday
    /// A Boolean value that indicates whether it suffices that the day of the month or that of the week occurs.
    var isEitherDay = false

    /// A step and the day from which it counts.
    struct Step: Sendable, Hashable {
      var of: WallSchedule.Step
      var first: Int32

      init(of step: WallSchedule.Step, from first: Int32) {
        (of, self.first) = (step, first)
      }

      func includes(_ day: Int) -> Bool {
        switch of {
        case .days(let count): (day - Int(first)) % count == 0
        case .weeks(let count):
          (Calendar.monday(ofWeekWith: day) - Calendar.monday(ofWeekWith: Int(first))) / 7 % count
            == 0
        }
      }
    }

    static let everyDay: UInt32 = 0xFFFF_FFFE
    static let everyWeekday = weekdays(.all, ofWeeks: 0..<5)
    static let lastWeek = 5

    /// Returns the bits of days of the week in some weeks of the month, counted from 0.
    static func weekdays(_ weekdays: Weekdays, ofWeeks weeks: Range<Int>) -> UInt64 {
      weeks.reduce(0) { $0 | UInt64(weekdays.rawValue & 0x7F) << ($1 * 7) }
    }

    /// Returns the first day with an occurrence that is not before `start`; `nil` if there is none.
    /// - Complexity: O(n) in the number of months until then, and in that of the excluded days.
    func day(from start: Int) -> Int? {
      var start = max(start, Int(firstDay), Int(step?.first ?? .min))
      while start <= lastDay {
        let (year, month, day) = Calendar.date(start)
        var found = days(ofMonth: month, year: year) & (~0 << UInt32(day))
        while found != 0 {
          let number = start - day + found.trailingZeroBitCount
          if number > lastDay { return nil }
          if step?.includes(number) != false, !excludedDays.contains(Int32(number)) {
            return number
          }
          found &= found - 1
        }
        start += Calendar.length(ofMonth: month, year: year) - day + 1
      }
      return nil
    }

    /// Returns the days of a month as bits from 1.
    private func days(ofMonth month: Int, year: Int) -> UInt32 {
      guard months >> UInt16(month) & 1 == 1 else { return 0 }
      let length = Calendar.length(ofMonth: month, year: year)
      let all = Self.everyDay & (.max >> UInt32(31 - length))
      let firstWeekday = Calendar.weekday(Calendar.days(year: year, month: month, day: 1))
      var (dates, matching) = (days, weekdays == Self.everyWeekday ? all : 0)
      for day in 1...length where daysFromEnd != 0 || matching != all {
        let weekday = (firstWeekday + day - 1) % 7
        let isNth = weekdays >> UInt64((day - 1) / 7 * 7 + weekday) & 1 == 1
        let isLast = day + 7 > length && weekdays >> UInt64(Self.lastWeek * 7 + weekday) & 1 == 1
        if isNth || isLast { matching |= 1 << UInt32(day) }
        if daysFromEnd >> UInt32(length + 1 - day) & 1 == 1 { dates |= 1 << UInt32(day) }
      }
      return all & (isEitherDay ? dates | matching : dates & matching)
    }

    /// Returns the first local time of an occurrence at or after `time`, in seconds; `nil` if there is none.
    func localTime(from time: Int64) -> Int64? {
      let (today, second) = time.flooredDivision(by: Calendar.secondsPerDay)
      let index = times.firstIndex(notBefore: Int32(second))
      let isOver = index == times.count
      return day(from: Int(today) + (isOver ? 1 : 0)).map {
        Int64($0) * Calendar.secondsPerDay + Int64(times[$0 == today && !isOver ? index : 0])
      }
    }
  }
}
