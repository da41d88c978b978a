import Dashboard
import TimerKit

/// What a dashboard begins with, and whether it is kept.
struct LaunchOptions: Sendable {
  /// The session's, as it was left.
  var saved: [SavedTimer] = []
  /// What was asked for besides.
  var specs: [TimerSpec] = []
  var configuration = Configuration()
  /// Where it is saved; `nil` where it is not.
  var store: SessionStore?
  /// The timers are only there to try the keys on: they are kept once others come or some go.
  var isTour = false
  /// What a person is to know at once.
  var trouble: String?

  /// One that is neither loaded nor saved.
  init() {}

  /// Takes the session, and reads it.
  init(sessionIn store: SessionStore) {
    do throws(SessionStore.Fault) {
      if let holder = try store.acquireLock() {
        trouble = "\(holder) has the session: nothing here is saved"
        return
      }
      self.store = store
    } catch {
      trouble = "nothing here is saved: \(error)"
      guard !store.isLocked else { return }
    }
    do throws(SessionStore.Fault) {
      try load(from: store)
    } catch {
      // What cannot be read, or put aside, is not written over.
      self.store = nil
      trouble = "nothing here is saved: \(error)"
    }
  }

  private mutating func load(from store: SessionStore) throws(SessionStore.Fault) {
    guard let bytes = try store.load() else {
      isTour = true
      return
    }
    do {
      saved = try SessionFile(bytes).savedTimers()
    } catch {
      let what = "the session could not be read: \(error)"
      // Where nothing can be saved it stays where it is.
      trouble =
        self.store == nil
        ? "\(what). Nothing here is saved" : "\(what); moved to \(try store.quarantine())"
    }
  }

  /// The names that timers asked for can refer to.
  var names: [String] { saved.compactMap(\.spec.name) }
}
