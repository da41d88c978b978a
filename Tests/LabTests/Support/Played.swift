import Dashboard
import TimerKit

@testable import Lab

/// A scene after its script.
struct Played {
  let lanes: [LabLane]

  init(_ scene: Scene) {
    var performance = scene.open()
    performance.playOut()
    let picture = performance.picture(at: .init(nanoseconds: 0))
    lanes = picture.blocks.flatMap { block in
      if case .lanes(let lanes) = block { lanes.lanes } else { [LabLane]() }
    }
  }

  subscript(label: String) -> LabLane {
    lanes.first { $0.label == label } ?? LabLane("there is no lane “\(label)”")
  }
}

extension LabLane {
  /// When its marks of a sign were made, in milliseconds.
  func times(of sign: LabSign) -> [Int] {
    marks.filter { $0.sign == sign }.map { $0.at.inMilliseconds }
  }

  /// Its letters, each with its time in milliseconds.
  var letters: [String] {
    marks.compactMap { mark in
      if case .letter(let letter) = mark.sign { "\(letter)\(mark.at.inMilliseconds)" } else { nil }
    }
  }
}

extension Duration {
  var inMilliseconds: Int { Int(clampedNanoseconds / 1_000_000) }
}

extension Scene {
  /// All but those on real queues and real time.
  static var virtual: [Scene] { all.filter { $0.open() is VirtualPerformance } }
}
