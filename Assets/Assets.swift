/// The files of this folder, embedded in the binary: there is nothing else to install.
public enum Assets {
  /// The timers that open when none are asked for: one line of the timer grammar each.
  public static let tour = String(decoding: PackageResources.tour_txt, as: UTF8.self)

  /// A configuration with everything in it that one can set.
  public static let configuration = String(
    decoding: PackageResources.config_toml, as: UTF8.self)
}
