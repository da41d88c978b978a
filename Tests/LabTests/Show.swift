import Testing
import Dispatch
@testable import Lab
@Test func race() async {
  await withCheckedContinuation { c in
    DispatchQueue(label: "t").async {
     let t = DispatchTime.now().uptimeNanoseconds
     print(Scene.fiveWays.plainText(width: 80))
     print((DispatchTime.now().uptimeNanoseconds - t)/1_000_000)
     c.resume()
    }
  }
}
