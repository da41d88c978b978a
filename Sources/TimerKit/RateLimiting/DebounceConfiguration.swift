/// Everything that a ``Debouncer`` is created with, besides its clock, queue and handler.
public struct DebounceConfiguration: Sendable, Hashable, Codable {
  /// The time without calls before the trailing edge, and before the next leading edge. Zero delivers
  /// as soon as the queue is free.
  public var delay: Duration
  /// The calls of a burst that are delivered.
  public var edges: DebounceEdges
  /// The longest time that a call waits for the trailing edge; at least the delay. `nil` sets no bound.
  public var maxWait: Duration?
  /// The time by which a value may be late, so that several timers share a wake-up.
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
  /// The first, at once.
  case leading
  /// The newest, when no call has come for the delay.
  case trailing
  /// The first, at once; and the newest, if there was another call, when no call has come for the
  /// delay.
  case both
}
