import Testing
import Dispatch
@testable import Lab
@Test func race() async {
  await withCheckedContinuation { c in
    DispatchQueue(label: "t").async {
      for p in Pattern.all { for r in Race.allCases where !p.isDeferred || r == .replaced {
        var staged = 0, un = 0, lost = 0, ign = 0
        let t = DispatchTime.now().uptimeNanoseconds
        while staged < 100, un < 1000 { let run = Staging(pattern: p, race: r).run(); if run.isStaged { staged += 1; lost += run.lostChild ? 1 : 0; ign += run.isIgnored ? 1 : 0 } else { un += 1; if un < 3 { print(run.entries.map(\.event)) } } }
        print(p.name, r, "staged \(staged) un \(un) lost \(lost) ignored \(ign)  \((DispatchTime.now().uptimeNanoseconds - t)/1_000_000) ms")
      } }
      c.resume()
    }
  }
}
