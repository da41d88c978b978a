import Foundation

/// The properties of the machine that affect the figures.
struct Machine: Encodable {
  private(set) var processor = "unknown processor"
  private(set) var cores = ProcessInfo.processInfo.activeProcessorCount
  private(set) var system = ProcessInfo.processInfo.operatingSystemVersionString
  private(set) var kernel = ""
  /// The load average of the last minute at the start and the end of the run. More than 1 at the start
  /// indicates that the machine was busy.
  private(set) var loadAtBegin = Machine.load()
  private(set) var loadAtEnd = 0.0
  private(set) var began = Date()

  init() {
    let lines = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
    if let model = lines.split(separator: "\n").first(where: { $0.hasPrefix("model name") }),
      let name = model.split(separator: ":").last
    {
      processor = name.trimmingCharacters(in: .whitespaces)
    }
    var names = utsname()
    if uname(&names) == 0 {
      kernel = withUnsafeBytes(of: &names.release) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
    }
  }

  mutating func recordEnd() { loadAtEnd = Self.load() }

  private static func load() -> Double {
    var averages = [0.0]
    return getloadavg(&averages, 1) == 1 ? averages[0] : 0
  }

  var text: String {
    let loads = [loadAtBegin, loadAtEnd].map { String(format: "%.2f", $0) }
    return "\(processor), \(cores) cores, \(system), kernel \(kernel); load \(loads[0]) at the "
      + "beginning and \(loads[1]) at the end"
  }
}
