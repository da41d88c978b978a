extension [String: String] {
  /// What a process's environment says by a name; `nil` for what is not there, or empty: by the custom
  /// of `NO_COLOR`, the locale's variables and most others, that says nothing.
  public func setting(_ name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// The name of the locale that it asks for in a category, such as `LC_CTYPE`.
  public func locale(_ category: String) -> String? {
    ["LC_ALL", category, "LANG"].lazy.compactMap(setting).first
  }
}
