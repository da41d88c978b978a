import Platform
import TerminalCore
import TimerBoard

/// A player of sounds by a program of the system, on the main queue. A sound that begins while another one plays is
/// skipped. Without such a program, and over SSH, it is silent.
@MainActor
final class SoundPlayer {
  /// The time after which a sound is ended, and a player that waits for its sound server.
  private static let timeLimit = Duration.seconds(30)

  private let environment: [String: String]
  private let onIdle: @MainActor () -> Void
  /// The paths of the programs that can be run, the one that has played a sound first.
  private lazy var programs = ["pw-play", "paplay", "aplay", "afplay"].compactMap {
    environment.isRemote ? nil : NotificationChannels.path(of: $0, environment: environment)
  }
  /// The runner of the programs, by their indices.
  private lazy var runner = CommandRunner<Int>(
    atOnce: 1, timeLimit: Self.timeLimit, output: .kept
  ) { [weak self] index, ending, _ in self?.ended(index, ending) }
  /// The file that was played last; `nil` before the first one.
  private var path: String?

  /// - Parameter onIdle: Called when a sound has ended.
  init(environment: [String: String], onIdle: @escaping @MainActor () -> Void) {
    self.environment = environment
    self.onIdle = onIdle
  }

  /// A Boolean value that indicates whether no sound plays.
  var isIdle: Bool { path == nil || runner.isIdle }

  /// Plays a bell or a file.
  func play(_ sound: String?) {
    guard let sound, isIdle, !programs.isEmpty, let path = path(of: sound) else { return }
    self.path = path
    runner.onIdle = onIdle
    play(path, from: 0)
  }

  /// Ends the sound that plays.
  func endSound() {
    if !isIdle { programs.indices.forEach(runner.endCommands) }
  }

  /// Ends the sound, and plays no more.
  func stop() { runner.stop() }

  private func play(_ path: String, from first: Int) {
    // aplay plays any other file as noise.
    let isWave = path.lowercased().hasSuffix(".wav")
    let index = programs.indices.first { index in
      index >= first && (isWave || !programs[index].hasSuffix("/aplay"))
    }
    guard let index else { return }
    runner.run(.arguments([programs[index], path]), for: index, nil)
  }

  /// Tries the next program after one that failed, such as one without its sound server.
  private func ended(_ index: Int, _ ending: CommandEnding) {
    switch ending {
    case .exited(0): programs.swapAt(0, index)
    case .exited, .notStarted: if let path { play(path, from: index + 1) }
    case .killed, .timedOut: break
    }
  }

  /// Returns the path of a sound, after writing the file of a bell that has none yet.
  private func path(of sound: String) -> String? {
    guard let bell = BellSound(rawValue: sound) else { return sound.expandingHome(environment) }
    guard let state = SessionName.stateFolder(environment: environment) else { return nil }
    let (path, files) = ("\(state)/bells/\(bell).wav", FileSystem())
    if !files.exists(path) {
      try? files.makeFolder("\(state)/bells")
      try? files.replace(path, with: bell.wave)
    }
    return files.exists(path) ? path : nil
  }
}

extension String {
  /// The path with the home folder in place of `~`.
  fileprivate func expandingHome(_ environment: [String: String]) -> String {
    hasPrefix("~/") ? (environment["HOME"] ?? "") + dropFirst() : self
  }
}

extension SoundCheck {
  /// The check of the files of this system.
  static let ofSystem = SoundCheck { path in
    let path = path.expandingHome(Program.environment)
    var found = stat()
    guard stat(path, &found) == 0, access(path, R_OK) == 0 else {
      return String(cString: strerror(errno)).lowercasedFirst
    }
    return found.st_mode & S_IFMT == S_IFREG ? nil : "not a regular file"
  }
}

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
