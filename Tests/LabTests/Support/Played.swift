import Dashboard
import Dispatch
import TimerKit

@testable import Lab

/// The lanes of a scene after its script.
struct Played {
  let lanes: [LabLane]

  init(_ scene: Scene) {
    var player = scene.open()
    player.playToEnd()
    let picture = player.snapshot(at: TimerClock.suspending.instant(nanoseconds: 0))
    lanes = picture.lanes?.lanes ?? []
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

  /// The words of its wrong marks, each once if it comes again and again.
  var faults: [String] {
    marks.filter { $0.value == .wrong && !$0.word.isEmpty }.map(\.word)
      .reduce(into: []) { words, word in if words.last != word { words.append(word) } }
  }

  /// The words of its planes, each followed by the time at which it begins, in milliseconds.
  var planes: [String] {
    segments.filter { !$0.word.isEmpty }.map { "\($0.word)\($0.time.inMilliseconds)" }
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

/// Does work that blocks, without blocking a thread that the handlers of races may need.
func onAnotherThread<Result: Sendable>(
  _ work: @escaping @Sendable () -> Result
) async -> Result {
  await withCheckedContinuation { continuation in
    DispatchQueue(label: "lab.test").async { continuation.resume(returning: work()) }
  }
}
