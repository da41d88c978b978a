import TerminalCore

/// A program that shows a notification on the desktop.
enum DesktopNotifier: String, Hashable, Sendable {
  case notifySend = "notify-send"
  /// Runs AppleScript; a part of macOS.
  case osascript

  /// A family of systems whose desktops show notifications in the same way.
  enum System: Sendable {
    case macOS
    /// The desktops of freedesktop.org, on Linux and other systems.
    case freedesktop

    static var current: System {
      #if os(macOS)
        .macOS
      #else
        .freedesktop
      #endif
    }
  }

  /// Creates the notifier of a system; `nil` if it has none or none is wanted.
  /// - Parameters:
  ///   - setting: `auto` requires a desktop session that is not remote.
  ///   - hasProgram: Returns true if a program of that name can be run.
  init?(
    _ setting: NotificationOptions.Desktop, on system: System, environment: [String: String],
    hasProgram: (String) -> Bool
  ) {
    func isSet(_ name: String) -> Bool { environment.nonEmptyValue(of: name) != nil }
    let isRemote = isSet("SSH_CONNECTION") || isSet("SSH_TTY")
    let hasDesktop: Bool
    switch system {
    case .macOS:
      self = .osascript
      hasDesktop = true
    case .freedesktop:
      self = .notifySend
      hasDesktop = isSet("WAYLAND_DISPLAY") || isSet("DISPLAY")
    }
    let isWanted =
      switch setting {
      case .auto: hasDesktop && !isRemote
      case .on: true
      case .off: false
      }
    guard isWanted, hasProgram(rawValue) else { return nil }
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
