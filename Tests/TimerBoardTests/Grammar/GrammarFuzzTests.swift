import Fuzzing
import Testing
import TimerBoardFixtures
import TimerKit

@testable import TimerBoard

/// Any text is parsed or rejected, and formatted text parses as the same timers.
@Suite struct GrammarFuzzTests {
  /// Parsed, formatted and parsed again: the same timers.
  @Test func parsedTextFormatsAndParsesAsTheSame() {
    let found = failures(
      sequences: 2_000, steps: 0..<16, setup: { $0.below(3) }, step: { $0.words() },
      failure: { way, words in
        let line = words.joined()
        var context = TimerContext(names: ["tea", "a=b", "x8"])
        do throws(TimerSyntaxError) {
          let specs =
            switch way {
            case 0: try TimerSpec.parse(arguments: [line], in: context)
            case 1: try TimerSpec.parse(arguments: words, in: context)
            default: [try TimerSpec.parse(timer: line, in: context)]
            }
          context.hasCommand = true
          return roundTripFault(specs, in: context)
        } catch {
          return invalidity(of: error)
        }
      })
    #expect(found == [])
  }

  /// Formatted and parsed: the same timers, with any settings.
  @Test func formattedTextParsesAsTheSame() {
    let found = failures(
      sequences: 2_000, steps: 1..<4, setup: { _ in }, step: { TimerSpec.random(using: &$0) },
      failure: { _, specs in
        roundTripFault(specs, in: TimerContext(names: specs.compactMap(\.successor)))
      })
    #expect(found == [])
  }

  @Test func formattedDurationsParseAsTheSame() {
    let pieces = [
      "0", "1", "5", "60", "99", ".", ":", "-", "+", "d", "h", "m", "s", "ms", "hours", "min", "µs",
      "9223372036854775807", "876600", "000", "\u{301}", "٣", " ",
    ]
    let found = failures(
      sequences: 6_000, steps: 0..<8, setup: { _ in }, step: { $0.one(of: pieces) },
      failure: { _, pieces in
        let text = pieces.joined()
        do throws(TimeSyntaxError) {
          let duration = try DurationText.parse(text)
          guard duration > .zero, duration <= DurationText.longest else { return "\(duration)" }
          let formatted = DurationText.text(duration)
          return try DurationText.parse(formatted) == duration ? nil : "formatted as \(formatted)"
        } catch {
          let isInside = (0...text.unicodeScalars.count).contains(error.offset)
          return isInside && !error.message.isEmpty ? nil : "\(error)"
        }
      })
    #expect(found == [])
  }

  private func roundTripFault(_ specs: [TimerSpec], in context: TimerContext) -> String? {
    let formatted = specs.map(\.text)
    do throws(TimerSyntaxError) {
      let again = try TimerSpec.parse(entries: formatted, in: context)
      return again == specs ? nil : "\(specs) formatted as \(formatted), which is \(again)"
    } catch {
      return "\(formatted): \(error)"
    }
  }

  private func invalidity(of error: TimerSyntaxError) -> String? {
    let line = error.line.unicodeScalars
    let isInside =
      (0...line.count).contains(error.offset) && (1...line.count + 1).contains(error.column)
      && error.argument >= 0
    let isPrintable = error.description.unicodeScalars.allSatisfy {
      $0.properties.generalCategory != .control
    }
    return isInside && isPrintable && !error.message.isEmpty ? nil : "\(error)"
  }
}

extension SplitMix {
  /// Returns a part of a line, mostly one that is valid somewhere.
  fileprivate mutating func words() -> String {
    let pieces = [
      "tea", "=", "tea=", " ", " ", " ", "3m", "90s ", "1h30m", "05:00", "every ", "every 3s ",
      "x8 ",
      "x", "paused ", "tolerance 1s ", "note ", "'", "\"", "\\", "missed burst ", "missed delay ",
      "burst", "at ", "at 12:30 ", "daily 9:05 ", "weekdays 7am ", "every mon,thu 18:00 ",
      "at 2027-01-31T09:00 ", "2027-02-30", "pm", "then tea ", "then tea x3 ", "then ",
      "group laundry ", "group ", "run ", "run 'a b' ",
      "on paused run x ", "on ", "finished ", "backoff 1h ", "now ", "jitter 1s ", "ring ",
      "cycle ", "cycle 25m/5m ",
      "/", "walk 10s", "stopwatch ",
      "debounce 2s ", "max 10s ", "leading ", "both ", "throttle 5s ", "deferred ", "first ",
      "coalesce 1m ", "idle 10m ", "once ", "-", ":", ".", "9999999999", "9223372036854775808",
      "5 min ", "5m30 ", "tea 3m ", "tea: ", "in ", "for ", "until 17:00 ", "tomorrow ", "today ",
      "noon ",
      "friday 9 ", "mon-fri ", "24 dec ", "at 9 ", "every day ", "hour ", "hourly ",
      "half an hour ", "half past ", "tonight ", "weekly ", "remind me ", "to ", "3 x 45s ", "2½h ",
      "90 ", "and a half ", "next ", "every second ", "monday ",
      "at 8 and 20:00 ", "and ", "from 9 to 17 ", "from ", "every 2h from 9 ", "to 17 ",
      "first monday of the month ", "last day of the month at 9 ", "of the month ",
      "cron ", "cron '*/15 9-17 * * 1-5' ", "cron @daily ", "in Europe/Berlin ", "in Asia/Tokyo ",
      "8 times ", "x 8 ", "8x ", "pomodoro ", "@tabata ", "52/17 ", "25/5 ", "Every ", "9am ",
      "\n", "\u{0}", "\u{1B}", "\u{301}", "👨‍👩‍👧", "日", "\u{200D}", "٣", "×2 ", "−1s",
    ]
    guard below(12) == 0 else { return one(of: pieces) }
    return Unicode.Scalar(UInt32(below(0x11_0000))).map(String.init) ?? ""
  }
}
