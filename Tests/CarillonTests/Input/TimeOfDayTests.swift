import Platform
import Testing

@testable import CarillonRuntime

struct TimeOfDayTests {
  static var hasUSEnglish: Bool {
    guard let locale = newlocale(LC_TIME_MASK, "en_US.UTF-8", nil) else { return false }
    freelocale(locale)
    return true
  }

  @Test(
    arguments: [
      [:], ["LANG": "C"], ["LANG": "C.UTF-8"], ["LC_ALL": "POSIX"], ["LANG": ""],
      ["LANG": "no_SUCH.locale"],
    ])
  func twentyFourHoursAreTheDefault(environment: [String: String]) {
    #expect(environment.uses24Hours)
  }

  @Test(
    .enabled(if: hasUSEnglish, "the en_US.UTF-8 locale is not installed"),
    arguments: [
      (["LANG": "en_US.UTF-8"], true),
      (["LC_TIME": "en_US.UTF-8", "LANG": "C"], true),
      (["LC_ALL": "en_US.UTF-8", "LC_TIME": "C"], true),
      (["LC_ALL": "", "LC_TIME": "", "LANG": "en_US.UTF-8"], true),
      (["LC_ALL": "C", "LC_TIME": "en_US.UTF-8", "LANG": "en_US.UTF-8"], false),
    ])
  func theLocaleDeterminesTheFormat(environment: [String: String], is12Hours: Bool) {
    #expect(!environment.uses24Hours == is12Hours)
  }
}
