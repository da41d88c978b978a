import Dispatch

/// Reports on the main queue that an entry of a watched folder, or such a folder itself, was added, removed or renamed.
///
/// Nothing is polled. A report follows a change by a fifth of a second, so that a removal of many entries is one change,
/// and so that it is over. Folders in which much happens cause at most five reports a second.
@MainActor
public final class FolderWatch {
  private static let settlingTime = Duration.milliseconds(200)

  private let onChange: @MainActor () -> Void
  private var isReporting = false

  #if os(Linux)
    private static let mask =
      UInt32(
        IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_DELETE_SELF | IN_MOVE_SELF)
      | UInt32(IN_ONLYDIR)
    /// `nil` if the system has no inotify instance left: then nothing is reported.
    private let source: (any DispatchSourceRead)?
    private var watches: Set<Int32> = []
  #else
    private var sources: [any DispatchSourceFileSystemObject] = []
  #endif
  private var isEnded = false

  /// Creates a watch of no folder.
  public init(onChange: @escaping @MainActor () -> Void) {
    self.onChange = onChange
    #if os(Linux)
      let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
      guard descriptor >= 0 else {
        source = nil
        return
      }
      let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
      self.source = source
      source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.changed() } }
      source.setCancelHandler { close(descriptor) }
      source.activate()
    #endif
  }

  /// Watches these folders instead of those before. One that does not exist is left out: watch the one that would contain
  /// it as well.
  public func watch(_ folders: [String]) {
    guard !isEnded else { return }
    #if os(Linux)
      guard let descriptor = source.map({ Int32($0.handle) }) else { return }
      let added = folders.map { inotify_add_watch(descriptor, $0, Self.mask) }.filter { $0 >= 0 }
      // A folder that was watched before has the same number again.
      for watch in watches.subtracting(added) { inotify_rm_watch(descriptor, watch) }
      watches = Set(added)
    #else
      for source in sources { source.cancel() }
      sources = folders.compactMap { folder in
        let descriptor = open(folder, O_EVTONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        let source = DispatchSource.makeFileSystemObjectSource(
          fileDescriptor: descriptor, eventMask: [.write, .delete, .rename, .revoke], queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.changed() } }
        source.setCancelHandler { close(descriptor) }
        source.activate()
        return source
      }
    #endif
  }

  /// Ends the watch. Called before the last reference to it is released.
  public func end() {
    guard !isEnded else { return }
    isEnded = true
    #if os(Linux)
      // A suspended source must not be released.
      if isReporting { source?.resume() }
      source?.cancel()
    #else
      for source in sources { source.cancel() }
    #endif
  }

  private func changed() {
    guard !isEnded, !isReporting else { return }
    isReporting = true
    #if os(Linux)
      source?.suspend()
    #endif
    callOnMain(after: Self.settlingTime) { [weak self] in self?.report() }
  }

  private func report() {
    guard !isEnded else { return }
    isReporting = false
    #if os(Linux)
      if let source {
        // What the events say is not needed: whoever hears of a change looks.
        var events = [UInt8](repeating: 0, count: 1 << 14)
        while read(Int32(source.handle), &events, events.count) > 0 {}
        source.resume()
      }
    #endif
    onChange()
  }
}
