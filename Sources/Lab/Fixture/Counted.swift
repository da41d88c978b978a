/// Returns a number with the noun that it counts, such as `1 flush` or `2 flushes`.
func counted(_ count: Int, _ singular: String, _ plural: String) -> String {
  "\(count) \(count == 1 ? singular : plural)"
}
