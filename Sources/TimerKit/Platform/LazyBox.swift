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

/// A type with a default value, which a ``LazyBox`` has before it is changed.
@usableFromInline
protocol Defaultable {
  init()
}
