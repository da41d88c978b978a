import Dashboard
import TimerBoard
import TimerKit

extension Configuration {
  /// Creates a configuration from the contents of a file.
  /// - Throws: All errors of the file.
  init(_ bytes: [UInt8], file: String) throws(ConfigurationErrors) {
    let report = ConfigurationTable.Report(file: file)
    do throws(TOMLSyntaxError) {
      let root = try TOMLDocument(bytes).root
      ConfigurationTable.read(root, reportingTo: report) { readSettings($0) }
    } catch {
      throw ConfigurationErrors([
        ConfigurationError(file: file, line: error.line, problem: error.problem)
      ])
    }
    guard report.errors.isEmpty else { throw ConfigurationErrors(report.errors) }
  }

  private mutating func readSettings(_ root: ConfigurationTable) {
    restorePolicy =
      root.choice("resume", of: [.catchUp, .keepTimeLeft]) { $0 == .catchUp ? "clock" : "frozen" }
      ?? restorePolicy
    countsOnlyAwake =
      root.choice("clock", of: [false, true]) { $0 ? "awake" : "always" } ?? countsOnlyAwake
    advancesAutomatically = root.bool("auto-advance") ?? advancesAutomatically
    detachesOnHangup =
      root.choice("on-hangup", of: [true, false]) { $0 ? "detach" : "quit" } ?? detachesOnHangup
    root.table("presets") { table in
      for name in table.allKeys { presets[name] = Self.timers(name, of: table, .builtIn) }
    }
    timers = Self.timers("timers", of: root, .replacing(presets))
    // Before the table 'display', which can select one of these themes.
    root.table("themes") { table in
      for name in table.allKeys {
        table.table(name) { display.customThemes.append(Self.theme(named: name, $0)) }
      }
    }
    root.table("display") { readDisplay($0) }
    root.table("notify") { table in
      display.isMuted = table.bool("mute") ?? display.isMuted
      notifications.read(table)
    }
    root.table("commands") { table in
      commandLimit = table.count("at-once") ?? commandLimit
      commandTimeLimit = table.duration("time-limit") ?? commandTimeLimit
    }
    root.table("hooks") { table in
      for event in Transition.Event.allCases {
        hooks[event] = table.strings(event.rawValue)
      }
    }
    root.table("history") { history.read($0) }
    root.table("keys") { readKeys($0) }
  }

  /// Returns the texts of timers, and reports each invalid one.
  private static func timers(
    _ key: String, of table: ConfigurationTable, _ presets: TimerPresets
  ) -> [String] {
    guard let texts = table.strings(key), !texts.isEmpty else { return [] }
    // The context has no time, so that a date that has passed since the file was written is no error.
    var context = TimerContext(defaults: TimerDefaults(presets: presets))
    do {
      _ = try TimerSpec.parse(entries: texts, in: context)
    } catch {
      // Parse each timer separately to report all errors. It may refer to the names of the others.
      context.names = texts.compactMap { $0.split(separator: "=").first.map(String.init) }
      var hasError = false
      for text in texts {
        do throws(TimerSyntaxError) {
          _ = try TimerSpec.parse(line: text, in: context)
        } catch {
          table.reportError(key, error.description)
          hasError = true
        }
      }
      if !hasError { table.reportError(key, error.description) }
    }
    return texts
  }

  private static func theme(named name: String, _ table: ConfigurationTable) -> Theme {
    var theme = table.choice("base", of: Theme.all, named: \.name) ?? .standard
    // Apply one style at a time, so that all errors are reported. The empty style sets the name.
    let styles = table.allKeys.filter { $0 != "base" }.compactMap { key in
      table.string(key).map { [key: $0] }
    }
    for style in [[:]] + styles {
      do {
        theme = try Theme(name: name, basedOn: theme, styles: style)
      } catch {
        table.reportError(error.key, error.description)
      }
    }
    return theme
  }

  private mutating func readDisplay(_ table: ConfigurationTable) {
    display.theme =
      table.choice("theme", of: Theme.all + display.customThemes, named: \.name) ?? display.theme
    display.showsTenths = table.bool("tenths") ?? display.showsTenths
    display.showsClock = table.bool("clock") ?? display.showsClock
    display.reducesMotion = table.bool("motion").map { !$0 } ?? display.reducesMotion
    display.boardLayout =
      table.choice("layout", of: BoardLayout.allCases, named: \.rawValue) ?? display.boardLayout
    usesMouse = table.bool("mouse") ?? usesMouse
  }

  private mutating func readKeys(_ table: ConfigurationTable) {
    var overrides: [KeyOverride] = []
    var tables: [String: ConfigurationTable] = [:]
    for scope in table.allKeys {
      table.table(scope) { keys in
        tables[scope] = keys
        overrides += keys.allKeys.compactMap { key in
          keys.string(key).map { KeyOverride(scope: scope, key: key, action: $0) }
        }
      }
    }
    // Whether a key is bound twice, such as 'Up' and 'up', depends on the other overrides. So after each error,
    // remove its override and try the rest again.
    while true {
      do {
        bindings = try Bindings.standard.rebound(overrides)
        return
      } catch {
        let override = error.override
        tables[override.scope]?.reportError(override.key, error.description)
        overrides.removeAll { $0 == override }
      }
    }
  }
}
