import Dashboard
import Testing
import TimerBoard

@testable import CarillonRuntime

struct SavedViewTests {
  private let configured: [DashboardSetting: String] = [.theme: "standard", .tenths: "false"]

  private func reread(_ view: SavedView) throws -> SavedView {
    try SavedView(json: view.jsonLine)
  }

  @Test func onlyWhatWasChosenIsSaved() throws {
    #expect(SavedView(of: configured, configured: configured, before: nil).isEmpty)
    let view = try reread(
      SavedView(
        of: [.theme: "mono", .tenths: "false"], configured: configured, before: nil))
    #expect(view.settings(configured: configured) == [.theme: "mono"])
    // Choosing the configured value again leaves nothing to save.
    #expect(SavedView(of: configured, configured: configured, before: view).isEmpty)
  }

  /// A later change of the configuration counts more than an earlier key.
  @Test func aChangedConfigurationCounts() throws {
    let view = SavedView(
      of: [.theme: "mono", .tenths: "true"], configured: configured, before: nil)
    #expect(
      view.settings(configured: [.theme: "light", .tenths: "false"]) == [.tenths: "true"])
  }

  /// A terminal without colors has no theme; the one of another terminal stays saved.
  @Test func settingsThatCannotBeChangedStay() {
    let view = SavedView(
      of: [.theme: "mono", .tenths: "false"], configured: configured, before: nil)
    let colorless = SavedView(
      of: [.tenths: "true"], configured: [.tenths: "false"], before: view)
    #expect(
      colorless.settings(configured: configured) == [.theme: "mono", .tenths: "true"])
  }

  @Test func damagedChoicesAreIgnored() throws {
    let text = #"{"version":3,"savedAt":1,"timers":[],"view":{"theme":7}}"#
    #expect(try SessionFile(Array(text.utf8)).view == nil)
  }
}
