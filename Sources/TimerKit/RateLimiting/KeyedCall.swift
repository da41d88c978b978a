/// A value that a ``KeyedDebouncer`` or a ``KeyedThrottler`` delivers, with its key.
public struct KeyedCall<Key: Sendable, Value: Sendable>: Sendable {
  /// The key that the limiter was called for.
  public var key: Key
  /// The value of the call.
  public var value: Value

  /// Creates a value, for a test or a preview.
  public init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }
}

extension KeyedCall: Equatable where Key: Equatable, Value: Equatable {}
extension KeyedCall: Hashable where Key: Hashable, Value: Hashable {}
