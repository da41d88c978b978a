import CursesTerminal
import Dashboard
import Testing

@testable import CarillonRuntime
@testable import TimerBoard

struct NotificationMessageTests {
  @Test func oneOrMany() {
    let tea = TimerNotification(.finished, timer: "tea", text: "finished")
    let poll = TimerNotification(.failed, timer: "poll", text: "exit 1")
    let one = NotificationMessage([tea])
    #expect(one.title == "tea" && one.text == "finished")
    let many = NotificationMessage([tea, poll], droppedCount: 3)
    #expect(many.title == "carillon: 5 timers" && many.text == "tea finished · poll exit 1")
    #expect(
      NotificationMessage([TimerNotification(.ring, timer: "\n", text: "")]).title == "carillon")
  }

  /// A desktop takes the text for markup, and notify-send a backslash for an escape.
  @Test func theDesktopInterpretsNothing() {
    let message = NotificationMessage([
      TimerNotification(
        .failed, timer: "--help\u{1B}$(id)", text: #"<a href="x">&\033]52</a>"# + "\u{9B}")
    ])
    #expect(
      message.desktopCommand == [
        "notify-send", "--app-name=carillon", "--", "--help $(id)",
        #"&lt;a href="x"&gt;&amp;\\033]52&lt;/a&gt;"#,
      ])
  }
}

struct NotificationChannelsTests {
  private func channels(
    _ options: NotificationOptions, _ environment: [String: String] = ["DISPLAY": ":0"],
    hasProgram: Bool = true
  ) -> NotificationChannels {
    NotificationChannels(options, environment: environment) { _ in hasProgram }
  }

  /// One of the two, and neither twice.
  @Test func byThemselvesTheDesktopElseTheTerminal() {
    let usual = NotificationOptions()
    #expect(channels(usual).usesDesktop && channels(usual).sequence == nil)
    for (environment, hasProgram) in [
      (["DISPLAY": ":0"], false), ([:], true), (["DISPLAY": ":0", "SSH_TTY": "/dev/pts/1"], true),
      (["WAYLAND_DISPLAY": ""], true),
    ] {
      let found = channels(usual, environment, hasProgram: hasProgram)
      #expect(!found.usesDesktop && found.sequence == .init(.osc9))
    }
  }

  @Test func asTheyAreAskedFor() {
    var options = NotificationOptions(terminal: .osc777, desktop: .off)
    #expect(channels(options, ["TMUX": "x"]).sequence == .init(.osc777, through: .tmux))
    #expect(!channels(options).usesDesktop)
    options = NotificationOptions(terminal: .off, desktop: .on)
    #expect(channels(options, [:]).usesDesktop && channels(options, [:]).sequence == nil)
    #expect(!channels(options, [:], hasProgram: false).usesDesktop)
  }

  @Test func programsAreLookedForInThePath() {
    #expect(NotificationChannels.hasProgram("sh", environment: ["PATH": "/nowhere:/bin"]))
    #expect(!NotificationChannels.hasProgram("sh", environment: ["PATH": "/nowhere"]))
    #expect(!NotificationChannels.hasProgram("sh", environment: [:]))
  }
}

@MainActor
@Suite(.timeLimit(.minutes(1)))
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

  /// Those of one moment make one message; those of the next second another, whatever they are.
  @Test func aFloodIsFewMessages() async throws {
    let notifier = notifier(NotificationOptions(desktop: .off))
    func notify(_ count: Int) {
      for number in 0..<count {
        notifier.notify(TimerNotification(.finished, timer: "t\(number)", text: "finished"))
      }
    }
    notify(2)
    try await until { !shown.texts.isEmpty }
    #expect(shown.texts == ["carillon: 2 timers: t0 finished · t1 finished"])
    notify(5000)
    #expect(shown.texts.count == 1)
    try await until { shown.texts.count == 2 }
    #expect(shown.texts[1].hasPrefix("carillon: 5000 timers: t0 finished · "))
    try await until { shown.texts.count == 2 }
  }

  @Test func onlyWhatIsWanted() async throws {
    let notifier = notifier(NotificationOptions(desktop: .off, events: [.phase]))
    notifier.notify(TimerNotification(.finished, timer: "tea", text: "finished"))
    notifier.notify(TimerNotification(.phase, timer: "pomo", text: "rest begins"))
    try await until { !shown.texts.isEmpty }
    #expect(shown.texts == ["pomo: rest begins"])
  }
}
