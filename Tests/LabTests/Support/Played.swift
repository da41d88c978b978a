import Dashboard
import TimerKit

@testable import Lab

/// The lanes of a scene after its script.
struct Played {
  let lanes: [LabLane]

  init(_ scene: Scene) {
    var player = scene.open()
    player.playToEnd()
    let picture = player.snapshot(at: TimerClock.suspending.instant(nanoseconds: 0))
    lanes = picture.blocks.flatMap { block in
      if case .lanes(let lanes) = block { lanes.lanes } else { [LabLane]() }
    }
  }

  /// The outcomes of the lanes that have one, by their labels.
  var isGood: [String: Bool] {
    Dictionary(lanes.compactMap { lane in lane.isGood.map { (lane.label, $0) } }) { $1 }
  }

  subscript(label: String) -> LabLane {
    lanes.first { $0.label == label } ?? LabLane("no lane '\(label)'")
  }
}

extension LabLane {
  /// Returns the times of the marks of a kind, in milliseconds.
  func times(of kind: LabMarkKind) -> [Int] {
    marks.filter { $0.value == kind }.map { $0.time.inMilliseconds }
  }

  /// The letters of its marks, each followed by its time in milliseconds.
  var letters: [String] {
    marks.compactMap { mark in
      if case .character(let letter) = mark.value {
        "\(letter)\(mark.time.inMilliseconds)"
      } else {
        nil
      }
    }
  }
}

extension Duration {
  var inMilliseconds: Int { Int(clampedNanoseconds / 1_000_000) }
}

extension Scene {
  /// The scenes on virtual time.
  static var virtual: [Scene] { all.filter { $0.duration == nil } }
}
