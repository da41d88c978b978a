import Platform
import Synchronization

@testable import CarillonRuntime

/// A simulated disk that can lose power: data that was not synced may survive completely, partly or not
/// at all.
final class VirtualDisk: Sendable {
  struct Content: Hashable, Sendable {
    /// File numbers by path.
    var names: [String: Int] = [:]
    var files: [Int: [UInt8]] = [:]

    subscript(path: String) -> [UInt8]? { names[path].flatMap { files[$0] } }
  }

  fileprivate struct State {
    var now = Content()
    /// The content after a power failure.
    var durable = Content()
    var folders: Set<String> = []
    var open: [Int32: (file: Int?, path: String, position: Int)] = [:]
    var locked: Set<Int> = []
    var lastNumber = 2
  }

  private let state: Mutex<State>

  init(_ files: [String: [UInt8]] = [:]) {
    var state = State()
    for (path, bytes) in files {
      state.lastNumber += 1
      state.now.names[path] = state.lastNumber
      state.now.files[state.lastNumber] = bytes
    }
    state.durable = state.now
    self.state = Mutex(state)
  }

  var content: Content { state.withLock { $0.now } }

  /// The number of open files.
  var openCount: Int { state.withLock { $0.open.count } }

  /// Returns every possible content after a power failure: each name as it is now or as it was synced, and
  /// each file as it was synced, as it is now, or partly written.
  func afterPowerCut() -> Set<Content> {
    let (now, durable) = state.withLock { ($0.now, $0.durable) }
    var outcomes: Set<Content> = []
    for names in [now.names, durable.names] {
      var contents = [Content(names: names, files: durable.files)]
      for file in Set(names.values) {
        let whole = now.files[file] ?? []
        let synced = durable.files[file] ?? []
        let parts = [whole, synced, [], Array(whole.prefix(whole.count / 2))]
        let isSafe = whole == synced
        contents = contents.flatMap { content in
          (isSafe ? [synced] : parts).map { part in
            var content = content
            content.files[file] = part
            return content
          }
        }
      }
      outcomes.formUnion(contents)
    }
    return outcomes
  }

  var calls: FileCalls {
    FileCalls(
      open: { path, flags in self.state.withLock { $0.openFile(path, flags) } },
      close: { number in
        self.state.withLock { state in
          guard let open = state.open.removeValue(forKey: number) else { return failure(EBADF) }
          if let file = open.file { state.locked.remove(file) }
          return 0
        }
      },
      read: { number, bytes in
        self.state.withLock { state in
          guard let open = state.open[number], let file = open.file else {
            return Int(failure(EBADF))
          }
          let rest = (state.now.files[file] ?? []).dropFirst(open.position).prefix(bytes.count)
          bytes.copyBytes(from: rest)
          state.open[number]?.position += rest.count
          return rest.count
        }
      },
      write: { number, bytes in
        self.state.withLock { state in
          guard let open = state.open[number], let file = open.file else {
            return Int(failure(EBADF))
          }
          state.now.files[file, default: []] += bytes
          return bytes.count
        }
      },
      truncate: { number in
        self.state.withLock { state in
          guard let file = state.open[number]?.file else { return failure(EBADF) }
          state.now.files[file] = []
          return 0
        }
      },
      sync: { number in
        self.state.withLock { state in
          guard let open = state.open[number] else { return failure(EBADF) }
          if let file = open.file {
            state.durable.files[file] = state.now.files[file]
          } else {
            state.durable.names = state.now.names
          }
          return 0
        }
      },
      lock: { number, _ in
        self.state.withLock { state in
          guard let file = state.open[number]?.file else { return failure(EBADF) }
          return state.locked.insert(file).inserted ? 0 : failure(EWOULDBLOCK)
        }
      },
      rename: { old, new in
        self.state.withLock { state in
          guard let file = state.now.names.removeValue(forKey: old) else { return failure(ENOENT) }
          state.now.names[new] = file
          return 0
        }
      },
      makeFolder: { path in
        self.state.withLock { $0.folders.insert(path).inserted ? 0 : failure(EEXIST) }
      },
      status: { path in
        self.state.withLock { state in
          state.now.names[path] != nil || state.folders.contains(path) ? 0 : failure(ENOENT)
        }
      },
      remove: { path in
        self.state.withLock { state in
          state.now.names.removeValue(forKey: path) == nil ? failure(ENOENT) : 0
        }
      },
      attributes: { number, attributes in
        self.state.withLock { state in
          guard let open = state.open[number] else { return failure(EBADF) }
          attributes.isRegular = open.file != nil
          return 0
        }
      },
      readLink: { path, _ in
        self.state.withLock { state in failure(state.now.names[path] == nil ? ENOENT : EINVAL) }
      })
  }
}

extension VirtualDisk.State {
  fileprivate mutating func openFile(_ path: String, _ flags: Int32) -> Int32 {
    var file = now.names[path]
    if flags & O_EXCL != 0, file != nil { return failure(EEXIST) }
    if flags & O_DIRECTORY == 0, file == nil {
      guard flags & O_CREAT != 0 else { return failure(ENOENT) }
      lastNumber += 1
      file = lastNumber
      now.names[path] = lastNumber
      now.files[lastNumber] = []
    }
    if flags & O_TRUNC != 0, let file { now.files[file] = [] }
    lastNumber += 1
    open[Int32(lastNumber)] = (file, path, 0)
    return Int32(lastNumber)
  }
}

/// Returns the result of a failed system call.
func failure(_ number: Int32) -> Int32 {
  errno = number
  return -1
}
