/// A notification for a person who looks elsewhere. Its texts can hold anything: they are to be
/// shown, and never to be taken for a command or for markup.
package struct TimerNotification: Hashable, Sendable {
  package enum Event: String, CaseIterable, Sendable {
    /// The last fire there was to come.
    case finished
    /// A fire of a timer that rings until a key is pressed.
    case ring
    /// Another phase of a cycle began.
    case phase
    /// Its command failed, and had not failed the time before.
    case failed
  }

  package var event: Event
  /// The timer's name, or what it is.
  package var timer: String
  /// What became of it: `finished`, `rest begins`, `exit 1 “no route to host”`.
  package var text: String

  package init(_ event: Event, timer: String, text: String) {
    self.event = event
    self.timer = timer
    self.text = text
  }
}
