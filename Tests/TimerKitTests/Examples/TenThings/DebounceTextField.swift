import Testing
import TimerKit

/// 1. A search field queries the server when typing pauses, on the main actor.
@MainActor
private final class SearchField {
  private(set) var searches: [String] = []
  private var typing: Debouncer<String>?

  init(clock: TimerClock = .suspending) throws {
    typing = try Debouncer(
      delay: .milliseconds(300), clock: clock, isolation: MainActor.shared
    ) { [weak self] _, text in
      self?.searches.append(text)
    }
  }

  func textDidChange(to text: String) { typing?.call(text) }
  func returnWasPressed() { typing?.flush() }
}

@MainActor @Test func debounceATextField() throws {
  let clock = VirtualClock()
  let field = try SearchField(clock: .virtual(clock))
  for text in ["t", "ti", "tim"] {
    field.textDidChange(to: text)
    clock.advance(by: .milliseconds(100))
  }
  #expect(field.searches == [])
  clock.advance(by: .milliseconds(200))
  #expect(field.searches == ["tim"])
  field.textDidChange(to: "timer")
  field.returnWasPressed()
  #expect(field.searches == ["tim", "timer"])
}

/// The same for text from an asynchronous sequence.
@MainActor
private func search(
  _ texts: AsyncStream<String>, clock: TimerClock, _ show: (String) -> Void
) async throws {
  for await text in try texts.debounced(for: .milliseconds(300), clock: clock) { show(text) }
}

@MainActor @Test func debounceASequenceOfTexts() async throws {
  let (texts, typing) = AsyncStream.makeStream(of: String.self)
  for text in ["t", "ti", "tim"] { typing.yield(text) }
  typing.finish()
  var searches: [String] = []
  try await search(texts, clock: .virtual(VirtualClock())) { searches.append($0) }
  #expect(searches == ["tim"])
}
