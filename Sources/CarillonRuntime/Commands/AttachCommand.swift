import ArgumentParser
import Dashboard
import Platform
import TimerBoard

/// `carillon attach`: the timers of another process that publishes them.
struct AttachCommand: ParsableCommand {
  static let configuration = CommandConfiguration("attach")

  @Argument(
    help: ArgumentHelp(
      "The identifier, the name or a part of the name of a process; all are listed if omitted.",
      valueName: "process"))
  var process: String?

  func run() throws {
    let peers = try Self.peers(process, in: InspectorFolder.path { Program.environment[$0] })
    if process != nil, let peer = peers.first {
      try StandardInput.check()
      let configuration = try Configuration.read(nil)
      try Program.run { try AttachSession(peer, configuration) }
    }
    try StandardStreams.write(try Self.list(peers))
  }

  /// Returns the processes that publish their timers: all, or the one with an identifier or a name.
  static func peers(_ wanted: String?, in folder: String) throws -> [AttachPeer] {
    let sockets = try ProgramFailure.naming("attach") { try AttachPeer.sockets(in: folder) }
    if let wanted, let path = sockets.first(where: { $0 == "\(folder)/\(wanted).sock" }) {
      return [try ProgramFailure.naming("attach") { try AttachPeer(path) }]
    }
    let peers = sockets.compactMap { path in
      do throws(FileError) {
        return try AttachPeer(path)
      } catch {
        Program.warn("attach: \(error)")
        return nil
      }
    }
    guard !peers.isEmpty else {
      guard sockets.isEmpty else { throw noReply }
      throw ProgramFailure(
        "attach: no process publishes its timers in \(folder) (expected one that calls"
          + " TimerInspector.start)", exitStatus: ExitStatus.noOwner)
    }
    let exact = peers.filter { wanted == nil || $0.process.name == wanted }
    // Without a process of that name, a part of it is enough.
    let part = wanted?.lowercased() ?? ""
    let matches =
      exact.isEmpty ? peers.filter { $0.process.name.lowercased().contains(part) } : exact
    if let wanted, matches.count != 1 {
      let known = (matches.isEmpty ? peers : matches).map(\.process)
      throw UsageError(
        "attach: \(matches.isEmpty ? "no process" : "several processes") '\(wanted)' (expected "
          + known.map { "\($0.id) (\($0.name))" }.joined(separator: " or ") + ")")
    }
    return matches
  }

  /// Returns a line for each process: its identifier, its name, its timers, and whether they can be controlled.
  /// One that sends none of this is reported on standard error.
  static func list(_ peers: [AttachPeer]) throws(ProgramFailure) -> String {
    let lines = peers.compactMap { peer -> [String]? in
      let process = peer.process
      do throws(AttachError) {
        let reply = try peer.reply(to: "page\t0\t0\tname\t0\t\n")
        guard case .page(let page) = reply else {
          if case .refused(let reason) = reply { throw AttachError("sent an error: \(reason)") }
          throw AttachError()
        }
        let controls = process.allowsControls ? "controls" : "no controls"
        return ["\(process.id)", process.name, counted(Int(page.listed), "timer"), controls]
      } catch {
        Program.warn("attach: \(process.id) (\(process.name)): the process \(error)")
        return nil
      }
    }
    guard !lines.isEmpty else { throw noReply }
    return lines.inColumns { $0 == 0 || $0 == 2 }
  }

  private static let noReply = ProgramFailure(
    "attach: no process replies", exitStatus: ExitStatus.noOwner)
}
