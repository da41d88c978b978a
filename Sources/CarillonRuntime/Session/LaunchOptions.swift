import TimerBoard
import TimerKit

/// The timers and settings that a front end starts with.
struct LaunchOptions: Sendable {
  /// The timers to continue.
  enum Source: Sendable {
    /// The timers of the session, which no process was running.
    case session(RestoredBoard)
    /// The board of another process.
    case handOver(RestoredBoard)
    /// None.
    case none
  }

  var source = Source.none
  /// The settings of the view that were chosen on the previous board.
  var view: SavedView?
  /// The requested timers.
  var specs: [TimerSpec] = []
  var configuration = Configuration()
  /// The path of the configuration; `nil` for the default one.
  var configurationFile: String?
  /// The ownership of the session; `nil` if it is not saved.
  var ownership: SessionOwnership?
  /// The events of the previous owner, for the clients that watched it; `nil` if there was none.
  var events: RecentEvents?
  /// A Boolean value that indicates whether the session is taken over from the background, to which it returns when the
  /// board is closed.
  var wasInBackground = false
  /// A Boolean value that indicates whether the session has never been saved.
  var isFirstStart = false
  /// A Boolean value that indicates whether the board is closed when all timers have finished.
  var exitsWhenDone = false
  /// The program to run for a timer whose command is empty, with its arguments.
  var program: [String] = []
  /// A Boolean value that indicates whether nothing matters after the first fire.
  var endsAtFirstFire = false
  /// A Boolean value that indicates whether the history is recorded; `nil` for a session, which is as configured.
  var recordsHistory: Bool?
  /// A text to show after the launch.
  var notice: String?
  /// An error to report after the launch.
  var error: String?

  /// Creates options without a session.
  init(error: String? = nil) {
    self.error = error
  }

  /// Creates options from a session that no other process owns.
  init(of ownership: SessionOwnership) {
    self.ownership = ownership
    load(from: ownership.store)
  }

  /// Reads the timers and the settings of a session. Its file is moved or released only if this process owns it.
  mutating func load(from store: SessionStore) {
    do throws(FileError) {
      guard let bytes = try store.load() else {
        isFirstStart = true
        return
      }
      do throws(SessionFile.Fault) {
        let file = try SessionFile(bytes)
        source = .session(try file.restored(at: .now()))
        view = file.view
      } catch {
        let problem = "the session could not be read: \(error)"
        // The file is moved only if this process can save the session.
        self.error =
          ownership == nil
          ? "\(problem); changes here are not saved"
          : "\(problem); moved to \(try store.quarantine(as: error.isVersion ? "old" : "unreadable"))"
      }
    } catch {
      // A file that can be neither read nor moved is not overwritten.
      ownership?.release()
      ownership = nil
      self.error = "changes here are not saved: \(error)"
    }
  }

  /// The timers to continue.
  private var saved: [BoardTimer] {
    switch source {
    case .session(let board), .handOver(let board): board.timers
    case .none: []
    }
  }

  /// Returns the context of timers in the arguments, which can refer to those of the session.
  func context(at now: ClockReading) -> TimerContext {
    TimerContext(
      names: saved.compactMap(\.name), groups: saved.compactMap(\.group), now: now,
      defaults: configuration.timerDefaults)
  }

  /// Lets a background process continue a session that was taken over, because this process cannot.
  func returnToBackground() {
    guard case .handOver = source, let ownership else { return }
    ownership.release()
    do throws(ProgramFailure) {
      let process = try BackgroundProcess(
        of: ownership.store.name, configuration: configurationFile)
      for message in try process.waitUntilStarted() { Program.warn(message) }
    } catch {
      Program.warn("\(error); the timers do not run")
    }
  }

  /// The commands with which the board starts.
  var commands: [Board.Command] {
    switch source {
    case .session(let board): [.restore(board, configuration.restorePolicy), .start(specs)]
    case .handOver(let board): [.takeOver(board), .start(specs)]
    case .none: [.start(specs)]
    }
  }
}
