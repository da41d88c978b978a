/// A value that a ``KeyedDebouncer`` or a ``KeyedThrottler`` delivers, and the key it was called for.
public struct KeyedCall<Key: Sendable, Value: Sendable>: Sendable {
  /// For which key it was made.
  public var key: Key
  /// What it carried.
  public var value: Value

  /// Makes one by hand: tests do, and whoever keeps them in a form of their own.
  public init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }
}

extension KeyedCall: Equatable where Key: Equatable, Value: Equatable {}
extension KeyedCall: Hashable where Key: Hashable, Value: Hashable {}
