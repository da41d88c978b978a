/// The configuration of a ``Debouncer``, except for its clock, queue and handler.
public struct DebounceConfiguration: Sendable, Hashable, Codable {
  /// The time without calls before the trailing edge, and before the next leading edge. With zero, a value is
  /// delivered as soon as the queue is free.
  public var delay: Duration
  /// The calls of a burst that are delivered.
  public var edges: DebounceEdges
  /// The maximum time for which a call waits for the trailing edge; the delay if that is longer. `nil` if there is no
  /// maximum.
  ///
  /// It counts from the beginning of the burst or the last delivery. With ``DebounceEdges/leading``, the first call
  /// after that time is delivered too, although the burst continues.
  public var maxWait: Duration?
  /// The time by which a value may be late, so that several timers share a wake-up. At most half of the delay has an
  /// effect.
  public var tolerance: Duration

  /// Creates a configuration. Its values are checked when a debouncer is created from it.
  public init(
    delay: Duration, edges: DebounceEdges = .trailing, maxWait: Duration? = nil,
    tolerance: Duration = .zero
  ) {
    self.delay = delay
    self.edges = edges
    self.maxWait = maxWait
    self.tolerance = tolerance
  }
}

/// The calls of a burst that a ``Debouncer`` delivers.
public enum DebounceEdges: String, Sendable, Hashable, Codable, CaseIterable {
  /// The first call, at once.
  case leading
  /// The newest call, after a delay without calls.
  case trailing
  /// The first call, at once; and, if there were others, the newest one after a delay without calls.
  case both
}
