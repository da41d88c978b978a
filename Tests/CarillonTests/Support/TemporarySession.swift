import Platform
import Synchronization
import Testing

@testable import CarillonRuntime

/// The main session in a folder of its own.
struct TemporarySession: Sendable {
  let state = "\(FileManager.default.temporaryDirectory.path)/carillon-\(UUID().uuidString)"
  var folder: String { "\(state)/carillon/sessions" }
  var path: String { "\(folder)/main.json" }

  /// - Parameter files: The contents of the files in the folder, by their names.
  init(_ files: [String: [UInt8]] = [:]) throws {
    for path in [state, "\(state)/carillon", folder] { try #require(mkdir(path, 0o700) == 0) }
    for (name, bytes) in files {
      let isCreated = FileManager.default.createFile(
        atPath: "\(folder)/\(name)", contents: Data(bytes), attributes: [.posixPermissions: 0o600])
      try #require(isCreated)
    }
  }

  func remove() { try? FileManager.default.removeItem(atPath: state) }

  func store(_ files: FileSystem = FileSystem()) throws -> SessionStore {
    try #require(SessionStore(environment: ["XDG_STATE_HOME": state], files: files))
  }

  /// The contents of the files in the folder, by their names.
  var files: [String: [UInt8]] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.reduce(into: [:]) { files, name in
      files[name] = FileManager.default.contents(atPath: "\(folder)/\(name)").map(Array.init)
    }
  }
}

/// Records the system calls of a ``FileSystem``, and makes some of them fail.
final class CallFaults: Sendable {
  private let names = Mutex<[String]>([])
  private let fault: @Sendable (_ number: Int, _ name: String) -> Int32

  /// - Parameter fault: Returns the error of a call by its number, from 0, and its name; 0 for none.
  init(_ fault: @escaping @Sendable (Int, String) -> Int32) {
    self.fault = fault
  }

  /// The calls so far, each with the name of its file: `write main.json.new`.
  var calls: [String] { names.withLock(\.self) }

  var files: FileSystem {
    var files = FileSystem()
    files.fault = { [self] name, path in
      let number = names.withLock { names in
        names.append("\(name) \(path.split(separator: "/").last ?? "")")
        return names.count - 1
      }
      return fault(number, "\(name)")
    }
    return files
  }
}
