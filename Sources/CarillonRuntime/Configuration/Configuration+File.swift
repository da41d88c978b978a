extension Configuration {
  /// Returns the path of the default file, below `XDG_CONFIG_HOME` or else below `HOME`.
  static func defaultPath(environment: [String: String]) -> String? {
    if let folder = environment["XDG_CONFIG_HOME"], folder.hasPrefix("/") {
      return "\(folder)/carillon/config.toml"
    }
    guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
    return "\(home)/.config/carillon/config.toml"
  }

  /// Reads a configuration file: the named one, which must exist, or the default one, which may be missing.
  static func read(
    _ named: String?, environment: [String: String]
  ) throws(ConfigurationErrors) -> Configuration {
    guard let path = named ?? defaultPath(environment: environment) else { return Configuration() }
    let bytes: [UInt8]?
    do throws(FileError) {
      // A file that the user names may be a pipe, so its type, owner and permissions are not checked.
      bytes = try SessionStore.contents(of: path, forbiddenMode: named == nil ? 0o002 : 0)
    } catch {
      throw ConfigurationErrors(file: path, problem: error.reason)
    }
    if let bytes { return try Configuration(bytes, file: path) }
    guard named != nil else { return Configuration() }
    throw ConfigurationErrors(file: path, problem: "no such file")
  }
}
