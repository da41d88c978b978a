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
