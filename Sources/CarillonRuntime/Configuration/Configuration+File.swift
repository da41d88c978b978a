extension Configuration {
  /// Where it is looked for: `XDG_CONFIG_HOME`, else `HOME`, say.
  static func usualPath(environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return "\(folder)/carillon/config.toml"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.config/carillon/config.toml"
  }

  /// Reads the file that is named, which must be there, or the usual one, which need not.
  static func read(_ named: String?, environment: [String: String]) throws -> Configuration {
    guard let path = named ?? usualPath(environment: environment) else { return Configuration() }
    do {
      // A file that is named is the reader's own choice, be it a pipe.
      if let bytes = try SessionStore.contents(of: path, writableBy: named == nil ? 0o002 : 0) {
        return try Configuration(bytes, file: path)
      }
    } catch let fault as SessionStore.Fault {
      throw ConfigurationFault(file: path, problem: fault.reason)
    }
    guard named != nil else { return Configuration() }
    throw ConfigurationFault(file: path, problem: "there is no such file")
  }

  /// Far more than anyone writes, and little enough for any parser.
  private static let largestSize = 128 << 10

  init(_ bytes: [UInt8], file: String) throws(ConfigurationFault) {
    self = try Configuration(Self.source(bytes, file: file))
  }

  static func source(
    _ bytes: [UInt8], file: String
  ) throws(ConfigurationFault) -> ConfigurationSource {
    guard bytes.count <= Self.largestSize else {
      throw ConfigurationFault(
        file: file, problem: "too large (expected at most \(Self.largestSize >> 10) KiB)")
    }
    guard let text = String(validating: bytes, as: UTF8.self), !bytes.contains(0) else {
      throw ConfigurationFault(file: file, problem: "no text in UTF-8")
    }
    return ConfigurationSource(file: file, text: text)
  }
}
