import TimerKit

struct MarbleError: Error, Equatable {}

/// A sequence from a marble diagram: each character is a millisecond on the clock, `-` no element, `|`
/// the end, `#` an error, and anything else an element.
struct MarbleSequence: AsyncSequence, Sendable {
  typealias Element = Character
  typealias Failure = MarbleError

  let marbles: String
  let clock: VirtualClock

  func makeAsyncIterator() -> Iterator { Iterator(rest: Array(marbles)[...], clock: clock) }

  struct Iterator: AsyncIteratorProtocol {
    var rest: ArraySlice<Character>
    let clock: VirtualClock

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(MarbleError) -> Character? {
      while let marble = rest.first {
        let deadline = TimerClock.virtual(clock).instant(
          nanoseconds: Int64(rest.startIndex) * 1_000_000)
        do { try await clock.sleep(until: deadline) } catch { return nil }
        rest.removeFirst()
        switch marble {
        case "-": continue
        case "|": return nil
        case "#": throw MarbleError()
        default: return marble
        }
      }
      return nil
    }
  }
}

/// Draws the elements of a sequence in the same notation. The reader takes `delay` steps per
/// element.
func draw<Base: AsyncSequence & Sendable>(
  _ sequence: Base, on clock: VirtualClock, delay: Int = 0
) async -> String where Base.Element == Character, Base.Failure == MarbleError {
  var drawing = ""
  func draw(_ marble: Character) {
    let step = Int(clock.now.nanoseconds / 1_000_000)
    drawing += String(repeating: "-", count: max(0, step - drawing.count))
    drawing.append(marble)
  }
  do throws(MarbleError) {
    var iterator = sequence.makeAsyncIterator()
    while let element = try await iterator.next(isolation: nil) {
      draw(element)
      if delay > 0 { try? await clock.sleep(for: .milliseconds(delay)) }
    }
    draw("|")
  } catch {
    draw("#")
  }
  return drawing
}
