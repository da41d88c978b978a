import CursesTerminal
import Dispatch
import TimerBoard
import TimerKit

/// A sender of notifications, on the main queue. It combines notifications of about the same time into one
/// message and sends at most one message per second.
@MainActor
final class Notifier {
  /// The time between two messages.
  private static let minimumGap = Duration.seconds(1)
  /// The maximum number of notifications in a message.
  private static let maximumPending = 20
  /// The time after which the desktop counts as not responding.
  private static let desktopTimeLimit = Duration.seconds(10)

  private var options: NotificationOptions
  private let environment: [String: String]
  private let showInTerminal: @MainActor (NotificationMessage, NotificationSequence) -> Void
  private var pending: [TimerNotification] = []
  private var droppedCount = 0
  private var isWaiting = false
  private var timer: DeadlineTimer?
  /// The channels, which are determined with the first message.
  private lazy var channels = findChannels()
  private lazy var programs = CommandRunner<Int>(
    atOnce: 1, timeLimit: Self.desktopTimeLimit, output: .kept, guardian: nil
  ) { [weak self] number, ending, _ in
    self?.desktopCommandEnded(number, ending)
  }
  /// The messages sent to the desktop, by the number of their command.
  private var sent: [Int: NotificationMessage] = [:]
  private var lastNumber = 0

  init(
    _ options: NotificationOptions, environment: [String: String],
    showInTerminal: @escaping @MainActor (NotificationMessage, NotificationSequence) -> Void
  ) {
    self.options = options
    self.environment = environment
    self.showInTerminal = showInTerminal
  }

  /// Uses other settings for the notifications from now on.
  func use(_ options: NotificationOptions) {
    guard options != self.options else { return }
    self.options = options
    channels = findChannels()
  }

  private func findChannels() -> NotificationChannels {
    NotificationChannels(options, on: .current, environment: environment) { [environment] in
      NotificationChannels.hasProgram($0, environment: environment)
    }
  }

  func notify(_ notification: TimerNotification) {
    guard options.events.contains(notification.event) else { return }
    if pending.count < Self.maximumPending {
      pending.append(notification)
    } else {
      droppedCount += 1
    }
    guard !isWaiting else { return }
    isWaiting = true
    // After the other events of this block, which belong to the same message.
    DispatchQueue.main.async { [weak self] in self?.send() }
  }

  private func send() {
    isWaiting = !pending.isEmpty
    guard isWaiting else { return }
    let message = NotificationMessage(pending, droppedCount: droppedCount)
    pending = []
    droppedCount = 0
    if let desktop = channels.desktop { show(message, by: desktop) }
    if let sequence = channels.sequence { showInTerminal(message, sequence) }
    let timer =
      timer
      ?? DeadlineTimer(isolation: MainActor.shared) { [weak self] _, _ in self?.send() }
    self.timer = timer
    timer.schedule(at: TimerClock.suspending.now.advanced(by: Self.minimumGap))
  }

  private func show(_ message: NotificationMessage, by desktop: DesktopNotifier) {
    lastNumber += 1
    sent[lastNumber] = message
    let command = desktop.command(title: message.title, text: message.text)
    programs.run(.arguments(command), for: lastNumber, nil)
  }

  /// Sends a message that the desktop did not take, and all later ones, to the terminal.
  private func desktopCommandEnded(_ number: Int, _ ending: CommandEnding) {
    guard let message = sent.removeValue(forKey: number), !ending.isSuccess else { return }
    channels.desktop = nil
    // Otherwise the terminal has shown the message already, or notifications by the terminal are off.
    guard options.terminal == .auto else { return }
    let sequence = NotificationSequence(environment: environment)
    channels.sequence = sequence
    showInTerminal(message, sequence)
  }
}
