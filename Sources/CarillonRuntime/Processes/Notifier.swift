import CursesTerminal
import Dispatch
import Platform
import TerminalCore
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
  /// The time in which the desktop can take a message when the program ends.
  private static let finalTimeLimit = Duration.milliseconds(500)

  private var options: NotificationOptions
  private let environment: [String: String]
  private let showInTerminal: @MainActor (NotificationMessage, NotificationSequence) -> Void
  private var pending: [TimerNotification] = []
  private var droppedCount = 0
  private var isWaiting = false
  /// The channels, which are determined with the first message.
  private lazy var channels = findChannels()
  private lazy var programs = CommandRunner<NotificationMessage>(
    atOnce: 1, timeLimit: Self.desktopTimeLimit, output: .kept
  ) { [weak self] message, ending, _ in
    if !ending.isSuccess { self?.desktopFailed(message) }
  }

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
    NotificationChannels(options, environment: environment) { [environment] in
      NotificationChannels.path(of: $0, environment: environment) != nil
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

  /// Ends a program that has not shown its message, and sends no more.
  func stop() { programs.stop(grace: Self.finalTimeLimit) }

  private func send() {
    isWaiting = !pending.isEmpty
    guard isWaiting else { return }
    let message = NotificationMessage(pending, droppedCount: droppedCount)
    pending = []
    droppedCount = 0
    if let desktop = channels.desktop {
      let command = desktop.command(title: message.title, text: message.text)
      programs.run(.arguments(command), for: message, nil)
    }
    if let sequence = channels.sequence { showInTerminal(message, sequence) }
    callOnMain(after: Self.minimumGap) { [weak self] in self?.send() }
  }

  /// Sends a message that the desktop did not take, and all later ones, to the terminal.
  private func desktopFailed(_ message: NotificationMessage) {
    channels.desktop = nil
    // Otherwise the terminal has shown the message already, or notifications by the terminal are off.
    guard options.terminal == .auto else { return }
    let sequence = NotificationSequence(environment: environment)
    channels.sequence = sequence
    showInTerminal(message, sequence)
  }
}

/// A message that combines notifications of about the same time.
struct NotificationMessage: Hashable, Sendable {
  var title: String
  var text: String

  /// - Parameter droppedCount: The number of further notifications, which the message only counts.
  init(_ notifications: [TimerNotification], droppedCount: Int = 0) {
    if let only = notifications.first, notifications.count == 1, droppedCount == 0 {
      title = only.timer
      text = only.text
    } else {
      let count = notifications.count + droppedCount
      title = "carillon: \(counted(count, "notification"))"
      text = notifications.map { "\($0.timer) \($0.text)" }.joined(separator: " · ")
    }
    title = title.plainLine(maxBytes: 60)
    text = text.plainLine(maxBytes: 160)
    if title.isEmpty { title = "carillon" }
  }
}

/// The channels for notifications in an environment.
struct NotificationChannels: Hashable, Sendable {
  /// The program for the desktop; `nil` if the desktop gets none.
  var desktop: DesktopNotifier?
  /// The sequence for the terminal; `nil` if it gets none.
  var sequence: NotificationSequence?

  /// - Parameter hasProgram: Returns true if a program of that name can be run.
  init(
    _ options: NotificationOptions, by program: DesktopNotifier = .ofSystem,
    environment: [String: String], hasProgram: (String) -> Bool
  ) {
    func isSet(_ name: String) -> Bool { environment.nonEmptyValue(of: name) != nil }
    let hasDesktop = program == .osascript || isSet("WAYLAND_DISPLAY") || isSet("DISPLAY")
    let isWanted =
      switch options.desktop {
      case .auto: hasDesktop && !environment.isRemote
      case .on: true
      case .off: false
      }
    desktop = isWanted && hasProgram(program.rawValue) ? program : nil
    let standard = NotificationSequence(environment: environment)
    switch options.terminal {
    case .off: sequence = nil
    case .auto: sequence = desktop == nil ? standard : nil
    case .osc9: sequence = NotificationSequence(.osc9, through: standard.multiplexer)
    case .osc777: sequence = NotificationSequence(.osc777, through: standard.multiplexer)
    }
  }

  /// Returns the path of a program in the first folder of `PATH` that contains it.
  static func path(of name: String, environment: [String: String]) -> String? {
    (environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 }
  }
}

/// A program that shows a notification on the desktop.
enum DesktopNotifier: String, Hashable, Sendable {
  /// For the desktops of freedesktop.org, on Linux and other systems.
  case notifySend = "notify-send"
  /// Runs AppleScript; a part of macOS.
  case osascript

  /// The program of this system.
  static var ofSystem: DesktopNotifier {
    #if os(macOS)
      .osascript
    #else
      .notifySend
    #endif
  }

  /// Returns the program with its arguments. No text becomes a part of a script, markup, an escape or an
  /// option.
  func command(title: String, text: String) -> [String] {
    switch self {
    case .notifySend:
      // The desktop reads markup in the text, and notify-send itself reads backslash escapes.
      [
        rawValue, "--app-name=carillon", "--", title,
        text.escapedForMarkup.replacing("\\", with: "\\\\"),
      ]
    case .osascript:
      [
        rawValue, "-e", "on run argv",
        "-e", "display notification (item 2 of argv) with title (item 1 of argv)",
        "-e", "end run", "--", title, text,
      ]
    }
  }
}

/// The settings of notifications: the table `[notify]`.
struct NotificationOptions: Hashable, Sendable {
  /// The form of notifications by the terminal.
  enum Terminal: String, CaseIterable, Sendable {
    /// The form that the terminal probably supports; off if notifications go to the desktop.
    case auto
    case osc9, osc777, off
  }

  /// Notifications by `notify-send`, or `osascript` on macOS.
  enum Desktop: String, CaseIterable, Sendable {
    /// On in a desktop session that is not remote.
    case auto
    case on, off
  }

  var usesBell = true
  /// The sound of timers without one of their own; `nil` for none.
  var sound: String?
  var terminal = Terminal.auto
  var desktop = Desktop.auto
  var events: Set<TimerNotification.Event> = Set(TimerNotification.Event.allCases)

  /// Reads the table `[notify]`.
  mutating func read(_ table: ConfigurationTable) {
    usesBell = table.bool("bell") ?? usesBell
    if let name = table.string("sound") {
      sound = name
      if let error = SoundCheck.ofSystem.problem(of: name) { table.reportError("sound", error) }
    }
    terminal = table.choice("terminal", of: Terminal.allCases, named: \.rawValue) ?? terminal
    desktop = table.choice("desktop", of: Desktop.allCases, named: \.rawValue) ?? desktop
    if let chosen = table.choices("on", of: TimerNotification.Event.allCases, named: \.rawValue) {
      events = Set(chosen)
    }
  }
}

/// The bell of the terminal, which rings at most once a second.
@MainActor
final class Bell {
  var onRing: @MainActor () -> Void = {}
  private var repeater: Repeater?
  private var lastRing: TimerClock.Instant?

  /// A Boolean value that indicates whether the bell rings each second until a key is pressed or the alerts are acknowledged.
  var repeats: Bool { repeater != nil }

  /// Rings once, unless the bell repeats or its last ring was less than a second ago.
  func ring() {
    let now = TimerClock.suspending.now
    if let lastRing, lastRing.duration(to: now) < .seconds(1) { return }
    guard !repeats else { return }
    lastRing = now
    onRing()
  }

  func setRepeats(_ isOn: Bool) throws(TimerConfigurationError) {
    guard isOn != repeats else { return }
    repeater = nil
    guard isOn else { return }
    ring()
    repeater = try .every(.seconds(1), isolation: MainActor.shared) { [weak self] _, _ in
      self?.lastRing = TimerClock.suspending.now
      self?.onRing()
    }
  }
}
