import Platform
import TimerBoard

/// The waves of the bells: sums of partials that begin together and decay on their own.
extension BellSound {
  /// The frequency in hertz, the level and the seconds in which the level falls to a thousandth.
  private typealias Partial = (frequency: Double, level: Double, decay: Double)

  /// The levels of a bell add up to at most 1.
  private var partials: [Partial] {
    switch self {
    // The two lowest partials beat, as those of a singing bowl do.
    case .bowl: [(220, 0.35, 3), (221.5, 0.35, 3), (597, 0.2, 2), (1_135, 0.1, 1.2)]
    case .glass: [(1_568, 0.5, 1.2), (3_210, 0.25, 0.7), (4_890, 0.15, 0.4), (6_720, 0.1, 0.2)]
    // Those of a tower bell: hum, prime, minor third, nominal.
    case .tower: [(262, 0.25, 2.4), (523, 0.3, 1.8), (628, 0.25, 1.4), (1_047, 0.2, 1)]
    }
  }

  /// The bytes of a WAV file with one channel and 16 bits a sample.
  var wave: [UInt8] {
    let rate = 22_050.0
    let length = partials.map(\.decay).max() ?? 0
    var samples = [Double](repeating: 0, count: Int(length * rate))
    for partial in partials {
      // A vector that turns and shrinks with each sample takes neither a sine nor a power for each.
      let angle = 2 * Double.pi * partial.frequency / rate
      let shrink = pow(0.001, 1 / (partial.decay * rate))
      let (real, imaginary) = (cos(angle) * shrink, sin(angle) * shrink)
      var (x, y) = (partial.level, 0.0)
      for index in samples.indices {
        samples[index] += y
        (x, y) = (x * real - y * imaginary, x * imaginary + y * real)
      }
    }
    let data = samples.flatMap { Self.bytes(Int16($0 * 24_000)) }
    let size = UInt32(truncatingIfNeeded: data.count)
    // PCM in one channel; the sample rate, the bytes a second, the bytes and the bits of a sample.
    let numbers: [UInt32] = [16, 1 | 1 << 16, 22_050, 44_100, 2 | 16 << 16]
    return Array("RIFF".utf8) + Self.bytes(size + 36) + Array("WAVEfmt ".utf8)
      + numbers.flatMap(Self.bytes) + Array("data".utf8) + Self.bytes(size) + data
  }

  private static func bytes(_ value: some FixedWidthInteger) -> [UInt8] {
    withUnsafeBytes(of: value.littleEndian) { Array($0) }
  }
}
