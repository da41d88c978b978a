/// A value that a ``KeyedDebouncer`` or a ``KeyedThrottler`` delivers, and its key.
public struct KeyedCall<Key: Sendable, Value: Sendable>: Sendable {
  /// The key of the call.
  public var key: Key
  /// The value of the call.
  public var value: Value

  /// Creates a keyed call from its values, for a test or a preview.
  public init(key: Key, value: Value) {
    self.key = key
    self.value = value
  }
}

extension KeyedCall: Equatable where Key: Equatable, Value: Equatable {}
extension KeyedCall: Hashable where Key: Hashable, Value: Hashable {}
