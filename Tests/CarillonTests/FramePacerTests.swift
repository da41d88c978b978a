import Testing
import TimerKit

@testable import CarillonRuntime

/// Real time, so only what no load can break is asserted: how many frames, and never too soon.
@MainActor
@Suite(.timeLimit(.minutes(1)))
struct FramePacerTests {
  @MainActor
  private final class Easel {
    var frames = 0
    var lastAt: TimerClock.Instant?
    var nextAt: [TimerClock.Instant?] = []
    var onDraw: (@MainActor () -> Void)?

    /// Draws a frame; the picture changes again when the script says so.
    func draw() -> TimerClock.Instant? {
      frames += 1
      lastAt = TimerClock.suspending.now
      onDraw?()
      return nextAt.isEmpty ? nil : nextAt.removeFirst()
    }
  }

  private let easel = Easel()
  private let pacer: FramePacer

  init() {
    pacer = FramePacer { [easel] in easel.draw() }
  }

  @Test func manyRequestsMakeOneFrame() async throws {
    for _ in 1...1000 { pacer.request() }
    #expect(easel.frames == 0)
    try await until { easel.frames > 0 }
    // A frame too many would have come before this one.
    pacer.request()
    try await until { easel.frames > 1 }
    #expect(easel.frames == 2)
  }

  @Test func atMostSixtyFramesASecond() async throws {
    let count = 12
    let start = TimerClock.suspending.now
    while easel.frames < count {
      pacer.request()
      await Task.yield()
    }
    let took = try #require(easel.lastAt).nanoseconds - start.nanoseconds
    #expect(took >= Int64(count - 1) * 1_000_000_000 / 60)
  }

  @Test func drawsByItselfWhenThePictureChanges() async throws {
    let next = TimerClock.suspending.now.advanced(by: .milliseconds(40))
    easel.nextAt = [next, nil]
    pacer.request()
    try await until { easel.frames == 2 }
    #expect(try #require(easel.lastAt) >= next)
  }

  @Test func aFrameThatCameByItselfShowsWhatWasRequestedToo() async throws {
    let next = TimerClock.suspending.now.advanced(by: .milliseconds(40))
    easel.nextAt = [next]
    pacer.request()
    try await until { easel.frames > 0 }
    // Block the main queue until the frame is due, and request it as well.
    while TimerClock.suspending.now < next.advanced(by: .milliseconds(20)) {}
    let before = easel.frames
    for requested in 1...3 {
      pacer.request()
      try await until { easel.frames >= before + requested }
    }
    #expect(easel.frames == before + 3)
  }

  @Test func requestsWhileDrawingAreKept() async throws {
    easel.onDraw = { [pacer, easel] in if easel.frames < 3 { pacer.request() } }
    pacer.request()
    try await until { easel.frames == 3 }
    easel.onDraw = nil
    pacer.request()
    try await until { easel.frames == 4 }
  }
}
