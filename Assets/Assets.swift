/// The files of this folder, embedded in the binary: there is nothing else to install.
public enum Assets {
  /// A sample configuration with every setting.
  public static let configuration = String(
    decoding: PackageResources.config_toml, as: UTF8.self)

  /// The help of each command: a line with two equal signs and its name, then its purpose in a line, its usage, and a
  /// discussion, each after an empty line. `{}` stands for a text of the program.
  public static let help = String(decoding: PackageResources.help_txt, as: UTF8.self)

  /// The sections of the man page in roff that no table of the program has.
  public static let manual = String(decoding: PackageResources.manual_roff, as: UTF8.self)
}
