/// A number and what it counts, as in “1 flush” and “2 flushes”.
func counted(_ count: Int, _ one: String, _ several: String) -> String {
  "\(count) \(count == 1 ? one : several)"
}
