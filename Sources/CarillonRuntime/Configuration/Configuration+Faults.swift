import TimerBoard

extension Configuration {
  /// More are not told of one file.
  private static let mostFaults = 100

  /// Everything that is wrong with a configuration, in the order of its lines. What is no TOML is
  /// wrong once: its parser stops there.
  static func faults(_ bytes: [UInt8], file: String) -> [ConfigurationFault] {
    var faults: [ConfigurationFault] = []
    do throws(ConfigurationFault) {
      let root = try source(bytes, file: file).table()
      while faults.count < mostFaults {
        do throws(ConfigurationFault) {
          _ = try Configuration(root: root)
          break
        } catch {
          let timers = root.texts(at: error.path).map { timerFaults($0, error) } ?? []
          faults += timers.isEmpty ? [error] : timers
          // Without what is wrong the rest is read again.
          guard root.remove(at: error.path) else { break }
        }
      }
    } catch {
      return [error]
    }
    return faults.sorted { ($0.line ?? 0, $0.key) < ($1.line ?? 0, $1.key) }
  }

  /// What is wrong with each of a list's timers, if they are such.
  private static func timerFaults(
    _ texts: [String], _ first: ConfigurationFault
  ) -> [ConfigurationFault] {
    guard first.path == ["timers"] || first.path.first == "presets" else { return [] }
    let names = texts.compactMap { $0.split(separator: "=").first.map(String.init) }
    return texts.compactMap { text -> ConfigurationFault? in
      do throws(TimerSyntaxError) {
        _ = try TimerSpec.parse(line: text, in: TimerContext(names: names))
        return nil
      } catch {
        var fault = first
        fault.problem = error.description
        return fault
      }
    }
  }
}
