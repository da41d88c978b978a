/// A value that most owners never change. It is allocated when it is first changed; until then its size is
/// one word.
@usableFromInline
struct LazyBox<Value: Sendable & Defaultable>: Sendable {
  /// An array with the value; empty until the value is changed.
  @usableFromInline var box: [Value] = []

  @inlinable var isUnused: Bool { box.isEmpty }

  var value: Value { box.first ?? Value() }

  mutating func change<Result>(_ body: (inout Value) -> Result) -> Result {
    if box.isEmpty { box.append(Value()) }
    return body(&box[0])
  }
}

// An unused box equals one that has been changed back to the default value.

extension LazyBox: Equatable where Value: Equatable {
  @usableFromInline
  static func == (left: LazyBox, right: LazyBox) -> Bool {
    left.isUnused && right.isUnused || left.value == right.value
  }
}

extension LazyBox: Hashable where Value: Hashable {
  @usableFromInline
  func hash(into hasher: inout Hasher) { hasher.combine(value) }
}

/// A type with a default value, which a ``LazyBox`` has before it is changed.
@usableFromInline
protocol Defaultable {
  init()
}
