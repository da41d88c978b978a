import TimerBoard
import TimerKit

extension SessionFile {
  init(_ bytes: [UInt8]) throws(Fault) {
    do throws(JSONReader.Invalid) {
      try self.init(json: bytes)
    } catch {
      try Self.checkVersion(in: bytes)
      throw Fault(description: "not a complete session file")
    }
    guard Self.readableVersions.contains(version) else { throw Self.unsupported(version) }
  }

  /// Throws an error if the version of the file cannot be read, whose members may be others.
  private static func checkVersion(in bytes: [UInt8]) throws(Fault) {
    var reader = JSONReader(bytes)
    var version: Int?
    do throws(JSONReader.Invalid) {
      try reader.beginObject()
      while let name = try reader.nextName() {
        if case "version" = name { version = try reader.value() } else { try reader.skipValue() }
      }
      try reader.expectEnd()
    } catch {
      return
    }
    if let version, !readableVersions.contains(version) { throw unsupported(version) }
  }

  private static func unsupported(_ version: Int) -> Fault {
    Fault(description: "unsupported version '\(version)' (expected at most \(Self.version))")
  }
}

extension SessionFile: JSONReadable {
  init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    var file = SessionFile(savedAt: 0, timers: [])
    var (version, savedAt, timers): (Int?, Double?, [Entry]?)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "version": version = try reader.value()
      case "savedAt": savedAt = try reader.value()
      case "continuousNs": file.continuousNs = try reader.value()
      case "suspendingNs": file.suspendingNs = try reader.value()
      case "bootID": file.bootID = try reader.value()
      case "timers": timers = try reader.value()
      case "log": file.log = try reader.value()
      case "muted": file.muted = try reader.value()
      // An error in the choices must not discard the timers.
      case "view": file.view = try reader.valueIfValid() ?? SavedView()
      case "steps": file.steps = try reader.value()
      default: try reader.skipValue()
      }
    }
    guard let version, let savedAt, let timers else { throw JSONReader.Invalid() }
    (file.version, file.savedAt, file.timers) = (version, savedAt, timers)
    self = file
  }
}

extension SessionFile.Entry: JSONReadable {
  init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    var entry = Self(timer: "", fields: SavedFields(.idle))
    var (timer, state): (String?, TimerState?)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "timer": timer = try reader.value()
      case "state": state = try reader.value()
      case "alert": entry.alert = try reader.value()
      case "pausedTogether": entry.pausedTogether = try reader.value()
      case "id": entry.id = try reader.value()
      // An error in the state in chains or in the stretch must not discard the timers.
      case "chain": entry.chain = try reader.valueIfValid()
      case "stretch": entry.stretch = try reader.valueIfValid()
      default:
        guard try !entry.fields.read(name, from: &reader) else { continue }
        try reader.skipValue()
      }
    }
    guard let timer, let state else { throw JSONReader.Invalid() }
    (entry.timer, entry.fields.state) = (timer, state)
    self = entry
  }
}

extension SessionFile.Step: JSONReadable {
  init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    var (stepName, parts): (String?, [Part]?)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "name": stepName = try reader.value()
      case "undone": undone = try reader.value()
      case "parts": parts = try reader.value()
      case "added": added = try reader.value()
      default: try reader.skipValue()
      }
    }
    guard let stepName, let parts else { throw JSONReader.Invalid() }
    (self.name, self.parts) = (stepName, parts)
  }
}

extension SessionFile.Step.Part: JSONReadable {
  init(from reader: inout JSONReader) throws(JSONReader.Invalid) {
    var (timer, position, change): (SessionFile.Entry?, Int?, String?)
    try reader.beginObject()
    while let name = try reader.nextName() {
      switch name {
      case "timer": timer = try reader.value()
      case "position": position = try reader.value()
      case "change": change = try reader.value()
      case "seconds": seconds = try reader.value()
      case "predecessors": predecessors = try reader.value()
      case "predecessorRounds": predecessorRounds = try reader.value()
      case "pausedTogether": pausedTogether = try reader.value()
      default: try reader.skipValue()
      }
    }
    guard let timer, let position, let change else { throw JSONReader.Invalid() }
    (self.timer, self.position, self.change) = (timer, position, change)
  }
}
