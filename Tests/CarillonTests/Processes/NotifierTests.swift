import CursesTerminal
import Dashboard
import Testing

@testable import CarillonRuntime
@testable import TimerBoard

struct NotificationMessageTests {
  @Test func oneOrManyNotificationsMakeOneMessage() {
    let tea = TimerNotification(event: .finished, timer: "tea", text: "finished")
    let poll = TimerNotification(event: .failed, timer: "poll", text: "exit 1")
    let one = NotificationMessage([tea])
    #expect(one.title == "tea" && one.text == "finished")
    // One timer can have several.
    let many = NotificationMessage([tea, poll, poll], droppedCount: 3)
    #expect(many.title == "carillon: 6 notifications")
    #expect(many.text == "tea finished · poll exit 1 · poll exit 1")
    #expect(
      NotificationMessage([TimerNotification(event: .ring, timer: "\n", text: "")]).title
        == "carillon")
  }

  /// The desktop parses the text as markup, notify-send a backslash as an escape, and AppleScript a quote
  /// as the end of a string.
  @Test func theDesktopInterpretsNothing() {
    let message = NotificationMessage([
      TimerNotification(
        event: .failed, timer: "--help\u{1B}$(id)", text: #"<a href="x">&\033]52</a>"# + "\u{9B}")
    ])
    let (title, text) = (message.title, message.text)
    #expect(
      DesktopNotifier.notifySend.command(title: title, text: text) == [
        "notify-send", "--app-name=carillon", "--", "--help $(id)",
        #"&lt;a href="x"&gt;&amp;\\033]52&lt;/a&gt;"#,
      ])
    #expect(
      DesktopNotifier.osascript.command(title: title, text: text) == [
        "osascript", "-e", "on run argv",
        "-e", "display notification (item 2 of argv) with title (item 1 of argv)",
        "-e", "end run", "--", "--help $(id)", #"<a href="x">&\033]52</a>"#,
      ])
  }
}

struct NotificationChannelsTests {
  private func channels(
    _ options: NotificationOptions, _ environment: [String: String] = ["DISPLAY": ":0"],
    by program: DesktopNotifier = .notifySend,
    programs: Set<String> = ["notify-send", "osascript"]
  ) -> NotificationChannels {
    NotificationChannels(
      options, by: program, environment: environment, hasProgram: programs.contains)
  }

  /// One of the two, and never both.
  @Test func theDefaultIsTheDesktopOrTheTerminal() {
    let usual = NotificationOptions()
    #expect(channels(usual).desktop == .notifySend && channels(usual).sequence == nil)
    for (environment, programs) in [
      (["DISPLAY": ":0"], ["osascript"]), ([:], ["notify-send"]),
      (["DISPLAY": ":0", "SSH_TTY": "/dev/pts/1"], ["notify-send"]),
      (["WAYLAND_DISPLAY": ""], ["notify-send"]),
    ] {
      let found = channels(usual, environment, programs: Set(programs))
      #expect(found.desktop == nil && found.sequence == .init(.osc9))
    }
  }

  /// On macOS the desktop notification is the system's own program, and no variable indicates a
  /// desktop.
  @Test func macOSUsesTheSystemProgram() {
    let usual = NotificationOptions()
    #expect(channels(usual, [:], by: .osascript).desktop == .osascript)
    #expect(channels(usual, [:], by: .osascript).sequence == nil)
    let remote = channels(usual, ["SSH_CONNECTION": "::1 1 ::1 22"], by: .osascript)
    #expect(remote.desktop == nil && remote.sequence == .init(.osc9))
    let without = channels(usual, [:], by: .osascript, programs: ["notify-send"])
    #expect(without.desktop == nil && without.sequence == .init(.osc9))
    let off = channels(NotificationOptions(desktop: .off), [:], by: .osascript)
    #expect(off.desktop == nil && off.sequence == .init(.osc9))
  }

  @Test func optionsOverrideTheDefault() {
    var options = NotificationOptions(terminal: .osc777, desktop: .off)
    #expect(channels(options, ["TMUX": "x"]).sequence == .init(.osc777, through: .tmux))
    #expect(channels(options).desktop == nil)
    options = NotificationOptions(terminal: .off, desktop: .on)
    #expect(channels(options, [:]).desktop == .notifySend && channels(options, [:]).sequence == nil)
    #expect(channels(options, [:], programs: []).desktop == nil)
  }

  @Test func programsAreSearchedInThePath() {
    #expect(
      NotificationChannels.path(of: "sh", environment: ["PATH": "/nowhere:/bin"]) == "/bin/sh")
    #expect(NotificationChannels.path(of: "sh", environment: ["PATH": "/nowhere"]) == nil)
    #expect(NotificationChannels.path(of: "sh", environment: [:]) == nil)
  }
}

@MainActor
@Suite(.timeLimit(.minutes(20)))
struct NotifierTests {
  private final class Shown {
    var texts: [String] = []
  }

  private let shown = Shown()

  private func notifier(_ options: NotificationOptions) -> Notifier {
    Notifier(options, environment: [:]) { [shown] message, _ in
      shown.texts.append("\(message.title): \(message.text)")
    }
  }

  /// Notifications of the same moment make one message, and those of the next second another.
  @Test func manyNotificationsMakeFewMessages() async throws {
    let notifier = notifier(NotificationOptions(desktop: .off))
    func notify(_ count: Int) {
      for number in 0..<count {
        notifier.notify(TimerNotification(event: .finished, timer: "t\(number)", text: "finished"))
      }
    }
    notify(2)
    try await until { !shown.texts.isEmpty }
    #expect(shown.texts == ["carillon: 2 notifications: t0 finished · t1 finished"])
    notify(5000)
    #expect(shown.texts.count == 1)
    try await until { shown.texts.count == 2 }
    #expect(shown.texts[1].hasPrefix("carillon: 5000 notifications: t0 finished · "))
    try await until { shown.texts.count == 2 }
  }

  @Test func onlyEnabledEventsAreNotified() async throws {
    let notifier = notifier(NotificationOptions(desktop: .off, events: [.phase]))
    notifier.notify(TimerNotification(event: .finished, timer: "tea", text: "finished"))
    notifier.notify(TimerNotification(event: .phase, timer: "pomo", text: "rest begins"))
    try await until { !shown.texts.isEmpty }
    #expect(shown.texts == ["pomo: rest begins"])
  }
}
