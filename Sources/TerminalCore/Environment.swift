extension [String: String] {
  /// Returns the value of an environment variable; `nil` if it is unset or empty, which means the
  /// same for `NO_COLOR`, the locale and most other variables.
  public func nonEmptyValue(of name: String) -> String? {
    self[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// A Boolean value that indicates whether the process belongs to a login over SSH.
  public var isRemote: Bool {
    ["SSH_CONNECTION", "SSH_TTY"].contains { nonEmptyValue(of: $0) != nil }
  }

  /// Returns the name of the locale for a category such as `LC_CTYPE`.
  public func locale(_ category: String) -> String? {
    ["LC_ALL", category, "LANG"].lazy.compactMap(nonEmptyValue(of:)).first
  }
}
