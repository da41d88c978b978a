/// An asynchronous sequence that passes its elements through a ``CallLimiter``.
///
/// A separate task reads the base sequence as fast as it yields elements, and calls the limiter with every
/// element. The newest element that the limiter has delivered waits in the channel for the reader. The task
/// starts with the first `next()`. It ends with the base sequence or the iterator, or when the reader is
/// cancelled.
struct LimitedSequence<Base, Limiter>: AsyncSequence, Sendable
where
  Base: AsyncSequence & Sendable, Base.Element: Sendable,
  Limiter: CallLimiterStorageOwner & CallLimiter & Sendable,
  Limiter.Machine.Delivery == LimitedElement<Base.Element, Base.Failure>,
  Limiter.Delivery == LimitedElement<Base.Element, Base.Failure>
{
  typealias Element = Base.Element
  typealias Failure = Base.Failure
  typealias Item = LimitedElement<Base.Element, Base.Failure>
  typealias Channel = LatestValueChannel<Base.Element, Base.Failure>

  let base: Base
  let executor: (any TaskExecutor)?
  /// A closure that creates a limiter, which delivers to `deliver`.
  let makeLimiter: @Sendable (_ deliver: @escaping @Sendable (Item) -> Void) -> Limiter

  func makeAsyncIterator() -> Iterator {
    let channel = Channel { _, newer in newer }
    let limiter = makeLimiter { item in
      switch item {
      case .element(let element): channel.send(element)
      case .end(let failure): channel.finish(throwing: failure)
      }
    }
    channel.onTermination { limiter.cancel() }
    return Iterator(channelReference: ChannelReference(channel)) { [base, executor] in
      let task = Task(executorPreference: executor) { await Self.read(base, into: limiter) }
      channel.onTermination {
        task.cancel()
        limiter.cancel()
      }
    }
  }

  private static func read(_ base: Base, into limiter: Limiter) async {
    var iterator = base.makeAsyncIterator()
    var end = Item.end(nil)
    do throws(Base.Failure) {
      while let element = try await iterator.next(isolation: nil) {
        if Task.isCancelled { return }
        limiter.call(.element(element))
      }
    } catch {
      end = .end(error)
    }
    limiter.flush(appending: end)
  }

  struct Iterator: AsyncIteratorProtocol {
    let channelReference: ChannelReference<Element, Failure>
    /// A closure that starts the task that reads the base sequence; `nil` after it has been called.
    var start: (@Sendable () -> Void)?

    init(
      channelReference: ChannelReference<Element, Failure>, start: @escaping @Sendable () -> Void
    ) {
      self.channelReference = channelReference
      self.start = start
    }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(Failure) -> Element? {
      guard let start = start.take() else {
        return try await channelReference.channel.next(isolation: actor)
      }
      return try await channelReference.channel.next(isolation: actor, whenWaiting: start)
    }
  }
}

/// The value that the limiter of a ``LimitedSequence`` delivers.
enum LimitedElement<Element: Sendable, Failure: Error>: Sendable {
  case element(Element)
  case end(Failure?)
}

extension CallLimiterStorageOwner {
  /// Delivers the pending value without waiting, and then a last value.
  func flush(appending last: Machine.Delivery) {
    var last: Machine.Delivery? = last
    storage.control(self) { (machine, now) in
      _ = machine.flush(at: now)
      machine.calls.makeReady(&last, at: now)
    }
  }
}
