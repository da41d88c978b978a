/// A channel that passes values from a timer to one task that reads them.
///
/// It stores at most one value, and merges a new value with an unread one. Therefore a slow reader neither
/// delays the timer nor makes a queue grow.
///
/// A waiting reader receives the next value as it is, not merged with later ones. While the mutex is locked,
/// only `merge` is called, no value is destroyed and no continuation is resumed.
final class LatestValueChannel<Element: Sendable, Failure: Error>: Sendable {
  private typealias Reader = CheckedContinuation<Element?, Never>

  private struct State {
    var unread: Element?
    var reader: Reader?
    var isFinished = false
    /// The error that is thrown once, after the unread value.
    var failure: Failure?
    var onTermination: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())
  private let merge: @Sendable (_ unread: Element, _ newer: Element) -> Element

  /// Creates a channel.
  /// - Parameter merge: a closure that returns the value to store in place of an unread value and a newer one.
  init(merging merge: @escaping @Sendable (_ unread: Element, _ newer: Element) -> Element) {
    self.merge = merge
  }

  /// Sets the closure that is called once, when the channel is finished or cancelled, and replaces an earlier one. If
  /// the channel is already finished or cancelled, calls it immediately.
  func onTermination(_ body: @escaping @Sendable () -> Void) {
    let isFinished = state.withLock { state in
      if !state.isFinished { state.onTermination = body }
      return state.isFinished
    }
    if isFinished { body() }
  }

  func send(_ value: Element) {
    var replaced: Element?
    let reader = state.withLock { state -> Reader? in
      if state.isFinished { return nil }
      if let reader = state.reader.take() { return reader }
      replaced = state.unread
      state.unread = state.unread.map { merge($0, value) } ?? value
      return nil
    }
    _ = replaced
    reader?.resume(returning: value)
  }

  /// Ends the sequence after the unread value.
  func finish(throwing failure: Failure? = nil) {
    end { $0.failure = failure }
  }

  /// Ends the sequence and drops the unread value and the error, because the reader was cancelled or released.
  func cancel() {
    end { _ in }
    // The channel may have finished before. Nothing is sent to it any more.
    _ = state.withLock { ($0.unread.take(), $0.failure.take()) }
  }

  private func end(_ body: (inout State) -> Void) {
    var reader: Reader?
    var onTermination: (@Sendable () -> Void)?
    state.withLock { state in
      if !state.isFinished {
        state.isFinished = true
        reader = state.reader.take()
        onTermination = state.onTermination.take()
        body(&state)
      }
    }
    reader?.resume(returning: nil)
    onTermination?()
  }

  /// Waits for a value.
  /// - Parameter whenWaiting: a closure that is called after the reader has begun to wait, to start the
  ///   source of the values.
  /// - Returns: the value; `nil` at the end of the sequence.
  func next(
    isolation: isolated (any Actor)?, whenWaiting: @Sendable () -> Void = {}
  ) async throws(Failure) -> Element? {
    let element = await withTaskCancellationHandler {
      await withCheckedContinuation { reader in
        wait(reader)
        whenWaiting()
      }
    } onCancel: {
      cancel()
    }
    if element == nil, let failure = state.withLock({ $0.failure.take() }) { throw failure }
    return element
  }

  private func wait(_ reader: Reader) {
    var unread: Element?
    let returnsAtOnce = state.withLock { state in
      unread = state.unread.take()
      if unread != nil || state.isFinished { return true }
      precondition(state.reader == nil, "two tasks read one iterator")
      state.reader = reader
      return false
    }
    if returnsAtOnce { reader.resume(returning: unread) }
  }
}

/// A reference to a channel, which ends when the last copy of the reference is released.
final class ChannelReference<Element: Sendable, Failure: Error>: Sendable {
  let channel: LatestValueChannel<Element, Failure>
  private let dropsUnread: Bool

  /// Creates a reference.
  /// - Parameter dropsUnread: true to drop the unread value, because the reference is that of the reader.
  init(_ channel: LatestValueChannel<Element, Failure>, droppingUnread dropsUnread: Bool) {
    self.channel = channel
    self.dropsUnread = dropsUnread
  }

  deinit { dropsUnread ? channel.cancel() : channel.finish() }
}
