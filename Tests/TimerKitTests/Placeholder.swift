import Dispatch
import Testing
import TimerKit

@Test func works() throws {
  let timeline = VirtualTimeline()
  let r = try Repeater(every: .seconds(1), mode: .finite(3), on: timeline) { r, t in
    print(t.iteration, t.scheduled.nanoseconds, r.state)
  }
  r.observe { print($1, $0 === r) }
  try r.start()
  try r.fire()
  timeline.advance(by: .seconds(5))
  try r.start()
  timeline.advance(by: .seconds(1))
  try r.pause()
  r.cancel()
}
@Test func real() async throws {
  let r = try Repeater(every: .milliseconds(10), mode: .finite(5)) { r, t in
    print("real", t.iteration, t.lateness)
  }
  let s = r.events()
  try r.start()
  for await e in s {
    if case .state(_, .finished) = e { break }
    print(e)
  }
  r.cancelAndWait()
  let t = VirtualTimeline()
  async let x: Void = t.sleep(until: .init(nanoseconds: 5))
  await Task.yield()
  t.advance(by: .seconds(1))
  try await SystemTimeline.uptime.sleep(
    until: SystemTimeline.uptime.now.advanced(by: .milliseconds(20)))
  t.advance(by: .seconds(1))
  try await x
}
