/// A notification. Its texts can contain any characters and must not be interpreted as commands or markup.
package struct TimerNotification: Hashable, Sendable {
  package enum Event: String, CaseIterable, Sendable {
    /// The last fire of a run.
    case finished
    /// An alarm, or a fire of a timer with `chime`.
    case fired
    /// A fire of a timer that repeats the bell until a key is pressed or its alert is acknowledged.
    case ring
    /// Another phase of a cycle began.
    case phase
    /// The first failure of a command, or the first one after a success.
    case failed
  }

  package var event: Event
  /// The timer's label.
  package var timer: String
  /// The event in words: `finished`, `rest begins`, `exit 1 'no route to host'`.
  package var text: String
  /// The sound of the timer; `nil` for that of the configuration.
  package var sound: String?
}
