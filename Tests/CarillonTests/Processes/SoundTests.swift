import Foundation
import Platform
import Testing
import TimerKit

@testable import CarillonRuntime
@testable import TimerBoard

/// A folder with players that are scripts. Each notes its file before it does what its name is given for.
private struct Players {
  let folder = FileManager.default.temporaryDirectory
    .appendingPathComponent("carillon-sound-\(UUID().uuidString)")
  var environment: [String: String] {
    ["PATH": folder.path, "XDG_STATE_HOME": "\(folder.path)/state"]
  }
  var bells: String { "\(folder.path)/state/carillon/bells" }

  init(_ scripts: [String: String]) throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, script) in scripts {
      let file = folder.appendingPathComponent(name).path
      let text = "#!/bin/sh\necho \(name) \"$1\" >>'\(folder.path)/log'\n\(script)\n"
      try #require(
        FileManager.default.createFile(
          atPath: file, contents: Data(text.utf8), attributes: [.posixPermissions: 0o755]))
    }
  }

  /// The programs with the files that they have played.
  var played: [String] {
    let log = try? String(contentsOf: folder.appendingPathComponent("log"), encoding: .utf8)
    return (log ?? "").split(separator: "\n").map(String.init)
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }
}

@MainActor
@Suite(.timeLimit(.minutes(20)))
struct SoundTests {
  @Test(arguments: BellSound.allCases) func bellsAreWaveFiles(_ bell: BellSound) {
    let wave = bell.wave
    func number(at index: Int, bytes: Int) -> Int {
      wave[index..<(index + bytes)].reversed().reduce(0) { $0 << 8 | Int($1) }
    }
    #expect(wave.starts(with: Array("RIFF".utf8)) && number(at: 4, bytes: 4) == wave.count - 8)
    #expect(number(at: 40, bytes: 4) == wave.count - 44)
    #expect([20, 22, 34].map { number(at: $0, bytes: 2) } == [1, 1, 16])
    let samples = stride(from: 44, to: wave.count, by: 2).map {
      Int(Int16(truncatingIfNeeded: number(at: $0, bytes: 2)))
    }
    // It is heard, and ends without a click.
    #expect(samples.contains { $0 > 8_000 } && samples.suffix(100).allSatisfy { abs($0) < 100 })
  }

  @Test func aBellIsWrittenOnceAndPlayed() async throws {
    let players = try Players(["paplay": "exit 0"])
    defer { players.remove() }
    var idleCount = 0
    let player = SoundPlayer(environment: players.environment) { idleCount += 1 }
    for count in 1...2 {
      player.play("glass")
      #expect(!player.isIdle)
      try await until { idleCount == count }
      #expect(player.isIdle)
    }
    let file = "\(players.bells)/glass.wav"
    #expect(players.played == ["paplay \(file)", "paplay \(file)"])
    #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == Data(BellSound.glass.wave))
    #expect(try FileManager.default.contentsOfDirectory(atPath: players.bells) == ["glass.wav"])
  }

  /// A sound that begins while another one plays is skipped.
  @Test func oneSoundPlaysAtATime() async throws {
    let players = try Players(["pw-play": "exec /bin/sleep 600"])
    defer { players.remove() }
    let player = SoundPlayer(environment: players.environment) {}
    defer { player.stop() }
    for number in 1...2 {
      for name in ["a", "b", "c"] { player.play("/\(number)\(name).ogg") }
      try await until { players.played.count == number }
      player.endSound()
      try await until { player.isIdle }
    }
    #expect(players.played == ["pw-play /1a.ogg", "pw-play /2a.ogg"])
  }

  /// A player can be there without its sound server. aplay would play other files than WAV as noise.
  @Test func theNextPlayerFollowsOneThatFails() async throws {
    let players = try Players(["pw-play": "exit 1", "paplay": "exit 1", "aplay": "exit 0"])
    defer { players.remove() }
    let player = SoundPlayer(environment: players.environment) {}
    for file in ["/a.ogg", "/b.wav", "/c.WAV"] {
      player.play(file)
      try await until { player.isIdle }
    }
    #expect(
      players.played == [
        "pw-play /a.ogg", "paplay /a.ogg", "pw-play /b.wav", "paplay /b.wav", "aplay /b.wav",
        "aplay /c.WAV",
      ])
  }

  @Test(arguments: [
    ("pw-play", ["SSH_CONNECTION": "::1 1 ::1 22"]), ("pw-play", ["SSH_TTY": "/dev/pts/1"]),
    ("cvlc", [:]),
  ])
  func otherwiseItIsSilent(program: String, changes: [String: String]) throws {
    let players = try Players([program: "exit 0"])
    defer { players.remove() }
    let environment = players.environment.merging(changes) { $1 }
    let player = SoundPlayer(environment: environment) {}
    player.play("glass")
    #expect(player.isIdle && !FileManager.default.fileExists(atPath: players.bells))
  }

  /// The sound of the timer, or else that of the configuration; none while muted.
  @Test(arguments: [
    ("t=1h sound /a.ogg", "/a.ogg"), ("t=1h", "/b.ogg"), ("t=1h ring", "/b.ogg"),
    ("t=1h silent", nil),
  ])
  func aBoardPlaysUntilAcknowledgedOrMuted(_ line: String, _ file: String?) async throws {
    let players = try Players(["pw-play": "exec /bin/sleep 600"])
    defer { players.remove() }
    var launch = LaunchOptions()
    launch.configuration.notifications = NotificationOptions(
      sound: "/b.ogg", terminal: .off, desktop: .off)
    launch.specs = try TimerSpec.parse(arguments: [line])
    let live = BoardOwner(launch, environment: players.environment) { _, _ in }
    defer { _ = live.stop() }
    for command in launch.commands { _ = live.perform(command) }
    let id = live.board.timers[0].id
    func finish() async throws {
      _ = live.perform(.control(.reset(restart: true), [id]))
      _ = live.perform(.control(.adjustTime(.exactly(.hours(-1))), [id]))
      try await until { live.board.timers[0].state == .finished }
    }
    var count = 0
    for command in [Board.Command.acknowledge, .mute(true)] {
      try await finish()
      count += file == nil ? 0 : 1
      try await until { players.played.count == count }
      _ = live.perform(command)
      try await until { live.isIdle }
    }
    try await finish()
    let files = [file, file].compactMap(\.self)
    #expect(live.isIdle && players.played == files.map { "pw-play \($0)" })
  }
}
