/// Removes the steps of a failing sequence that it fails without.
public func shrink<Step>(_ steps: [Step], whileFailing fails: ([Step]) -> Bool) -> [Step] {
  var shortest = steps
  var length = max(1, shortest.count / 2)
  while length > 0 {
    var start = 0
    while start < shortest.count {
      var shorter = shortest
      shorter.removeSubrange(start..<min(start + length, shorter.count))
      if fails(shorter) { shortest = shorter } else { start += length }
    }
    length /= 2
  }
  return shortest
}
