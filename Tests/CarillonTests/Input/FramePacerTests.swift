import Testing
import TimerKit

@testable import CarillonRuntime

/// In real time, so only load-independent facts are checked: the number of frames, and no early
/// frames.
@MainActor
@Suite(.timeLimit(.minutes(20)))
struct FramePacerTests {
  @MainActor
  private final class Renderer {
    var frames = 0
    var lastAt: TimerClock.Instant?
    var nextAt: [TimerClock.Instant?] = []
    var onDraw: (@MainActor () -> Void)?

    /// Draws a frame and returns the next redraw of the script.
    func draw() -> TimerClock.Instant? {
      frames += 1
      lastAt = TimerClock.suspending.now
      onDraw?()
      return nextAt.isEmpty ? nil : nextAt.removeFirst()
    }
  }

  private let renderer = Renderer()
  private let pacer: FramePacer

  init() {
    pacer = FramePacer { [renderer] in renderer.draw() }
  }

  @Test func requestsAreMergedIntoOneFrame() async throws {
    for _ in 1...1000 { pacer.request() }
    #expect(renderer.frames == 0)
    try await until { renderer.frames > 0 }
    // An extra frame would have been drawn before this one.
    pacer.request()
    try await until { renderer.frames > 1 }
    #expect(renderer.frames == 2)
  }

  @Test func atMostSixtyFramesASecond() async throws {
    let count = 12
    let start = TimerClock.suspending.now
    while renderer.frames < count {
      pacer.request()
      await Task.yield()
    }
    let took = try #require(renderer.lastAt).nanoseconds - start.nanoseconds
    #expect(took >= Int64(count - 1) * 1_000_000_000 / 60)
  }

  @Test func drawsAtTheNextRedraw() async throws {
    let next = TimerClock.suspending.now.advanced(by: .milliseconds(40))
    renderer.nextAt = [next, nil]
    pacer.request()
    try await until { renderer.frames == 2 }
    #expect(try #require(renderer.lastAt) >= next)
  }

  @Test func aScheduledFrameServesPendingRequests() async throws {
    let next = TimerClock.suspending.now.advanced(by: .milliseconds(40))
    renderer.nextAt = [next]
    pacer.request()
    try await until { renderer.frames > 0 }
    // Block the main queue until the frame is due, and request it as well.
    while TimerClock.suspending.now < next.advanced(by: .milliseconds(20)) {}
    let before = renderer.frames
    for requested in 1...3 {
      pacer.request()
      try await until { renderer.frames >= before + requested }
    }
    #expect(renderer.frames == before + 3)
  }

  @Test func requestsWhileDrawingAreKept() async throws {
    renderer.onDraw = { [pacer, renderer] in if renderer.frames < 3 { pacer.request() } }
    pacer.request()
    try await until { renderer.frames == 3 }
    renderer.onDraw = nil
    pacer.request()
    try await until { renderer.frames == 4 }
  }
}
