/// The way of values from a timer to one task that reads them.
///
/// It holds at most one value: one that comes while another is unread is merged with it. So a slow
/// reader neither delays the timer nor makes a queue grow.
///
/// A reader that waits receives the next value itself, whatever comes after it. No value is released,
/// and nobody is called or resumed, while the mutex is held.
final class LatestValueChannel<Element: Sendable, Failure: Error>: Sendable {
  private typealias Reader = CheckedContinuation<Element?, Never>

  private struct State {
    var unread: Element?
    var reader: Reader?
    var isFinished = false
    /// Thrown once, after what is unread.
    var failure: Failure?
    var onTermination: (@Sendable () -> Void)?
  }

  private let state = Guarded(State())
  private let merge: @Sendable (_ unread: Element, _ newer: Element) -> Element

  /// - Parameter merge: returns the value that stands for an unread one and the one after it.
  init(merging merge: @escaping @Sendable (_ unread: Element, _ newer: Element) -> Element) {
    self.merge = merge
  }

  /// Calls `body` when the channel is finished or cancelled, once; at once if it is already.
  func onTermination(_ body: @escaping @Sendable () -> Void) {
    let isFinished = state.withLock { state in
      if !state.isFinished { state.onTermination = body }
      return state.isFinished
    }
    if isFinished { body() }
  }

  func send(_ value: Element) {
    var released: Element?
    let reader = state.withLock { state -> Reader? in
      if state.isFinished { return nil }
      if let reader = state.reader.take() { return reader }
      released = state.unread
      state.unread = state.unread.map { merge($0, value) } ?? value
      return nil
    }
    _ = released
    reader?.resume(returning: value)
  }

  /// Ends the sequence behind what is unread.
  func finish(throwing failure: Failure? = nil) {
    end { $0.failure = failure }
  }

  /// Ends the sequence now, for a reader that is cancelled or gone.
  func cancel() {
    var released: Element?
    end { state in released = state.unread.take() }
    _ = released
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
  /// - Parameter whenWaiting: called when the reader is in its place, so that no value comes before it.
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
    let isOver = state.withLock { state in
      unread = state.unread.take()
      if unread != nil || state.isFinished { return true }
      precondition(state.reader == nil, "two tasks read one iterator")
      state.reader = reader
      return false
    }
    if isOver { reader.resume(returning: unread) }
  }
}

/// The part of a channel that an iterator holds: it is cancelled with the last copy of its iterator.
final class ChannelReader<Element: Sendable, Failure: Error>: Sendable {
  let channel: LatestValueChannel<Element, Failure>

  init(_ channel: LatestValueChannel<Element, Failure>) {
    self.channel = channel
  }

  deinit { channel.cancel() }
}
