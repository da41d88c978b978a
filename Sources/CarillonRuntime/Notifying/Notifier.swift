import CursesTerminal
import Dispatch
import TimerBoard
import TimerKit

/// Tells a person who looks elsewhere: what happens at once makes one message, and there is at most
/// one message a second. On the main queue.
@MainActor
final class Notifier {
  /// How long there is none after one.
  private static let rest = Duration.seconds(1)
  /// A message has no space for more.
  private static let mostWaiting = 20
  /// A desktop that has not taken a message by then takes none.
  private static let patience = Duration.seconds(10)

  private let options: NotificationOptions
  private let environment: [String: String]
  private let showInTerminal: @MainActor (NotificationMessage, NotificationSequence) -> Void
  private var waiting: [TimerNotification] = []
  private var leftOut = 0
  private var isResting = false
  private var alarm: DeadlineTimer?
  /// Looked for when there is something to tell.
  private lazy var channels = NotificationChannels(options, environment: environment) {
    NotificationChannels.hasProgram($0, environment: environment)
  }
  private lazy var programs = CommandRunner(
    atOnce: 1, timeLimit: Self.patience, output: .kept, guardian: nil
  ) { [weak self] number, ending, _ in
    self?.desktopAnswered(number, ending)
  }
  /// On their way to the desktop, by the number of their command.
  private var underWay: [TimerID: NotificationMessage] = [:]
  private var lastNumber = 0

  init(
    _ options: NotificationOptions, environment: [String: String],
    showInTerminal: @escaping @MainActor (NotificationMessage, NotificationSequence) -> Void
  ) {
    self.options = options
    self.environment = environment
    self.showInTerminal = showInTerminal
  }

  func notify(_ notification: TimerNotification) {
    guard options.events.contains(notification.event) else { return }
    if waiting.count < Self.mostWaiting { waiting.append(notification) } else { leftOut += 1 }
    guard !isResting else { return }
    isResting = true
    // After the others of this turn, which belong to the same message.
    DispatchQueue.main.async { [weak self] in self?.send() }
  }

  private func send() {
    isResting = !waiting.isEmpty
    guard isResting else { return }
    let message = NotificationMessage(waiting, leftOut: leftOut)
    waiting = []
    leftOut = 0
    if channels.usesDesktop { showOnDesktop(message) }
    if let sequence = channels.sequence { showInTerminal(message, sequence) }
    let alarm =
      alarm
      ?? DeadlineTimer(isolation: MainActor.shared) { [weak self] _, _ in self?.send() }
    self.alarm = alarm
    alarm.schedule(at: TimerClock.suspending.now.advanced(by: Self.rest))
  }

  private func showOnDesktop(_ message: NotificationMessage) {
    lastNumber += 1
    let number = TimerID(lastNumber)
    underWay[number] = message
    programs.run(.arguments(message.desktopCommand), for: number, nil)
  }

  /// Where the desktop does not take it, the terminal gets it, and those that follow.
  private func desktopAnswered(_ number: TimerID, _ ending: CommandEnding) {
    guard let message = underWay.removeValue(forKey: number), !ending.isSuccess else { return }
    channels.usesDesktop = false
    // Asked for by name, the terminal had it already.
    guard options.terminal == .auto else { return }
    let sequence = NotificationSequence(environment: environment)
    channels.sequence = sequence
    showInTerminal(message, sequence)
  }
}
