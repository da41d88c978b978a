/// A value that a ``KeyedDebouncer`` or a ``KeyedThrottler`` delivers, and the key it was called for.
public struct KeyedCall<Key: Sendable, Value: Sendable>: Sendable {
  public var key: Key
  public var value: Value

  public init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }
}

extension KeyedCall: Equatable where Key: Equatable, Value: Equatable {}
extension KeyedCall: Hashable where Key: Hashable, Value: Hashable {}
