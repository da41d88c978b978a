extension StringProtocol {
  /// The text with its first character in lower case.
  package var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
