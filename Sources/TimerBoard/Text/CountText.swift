/// Returns a number with the noun that it counts: `1 timer`, `2 timers`.
/// - Parameter plural: The plural of the noun; `nil` if that only takes an `s`.
package func counted(_ count: Int, _ noun: String, plural: String? = nil) -> String {
  "\(count) \(count == 1 ? noun : plural ?? noun + "s")"
}
