/// An action of the user; the raw value is its name in the command palette and in the
/// configuration.
package enum Action: String, CaseIterable, Hashable, Sendable {
  // Movement in a list.
  case up, down, left, right, top, bottom
  case pageUp = "page-up"
  case pageDown = "page-down"
  case halfPageUp = "half-page-up"
  case halfPageDown = "half-page-down"
  // Actions on the selected timer or on the marked ones; "pause-all" is on all timers.
  case startOrPause = "toggle"
  case pauseAll = "pause-all"
  case restart, reset
  case fire
  case fireAndPause = "fire-and-pause"
  case moreTime = "more"
  case lessTime = "less"
  case longerInterval = "longer-interval"
  case shorterInterval = "shorter-interval"
  case moreIterations = "more-iterations"
  case fewerIterations = "fewer-iterations"
  case skipPhase = "skip"
  case lap
  // Actions without keys; the commands of `carillon ctl` have the same names.
  case start, pause, resume, interval, rename, note, acknowledge
  // The list.
  case add, edit, duplicate, delete, undo, redo
  case moveRowDown = "move-row-down"
  case moveRowUp = "move-row-up"
  case filter
  case nextMatch = "next-match"
  case previousMatch = "previous-match"
  case sort, reverse, mark
  case markAll = "mark-all"
  // Views.
  case showBoard = "board"
  case showFocus = "focus"
  case showTimeline = "timeline"
  case showLab = "lab"
  case showHistory = "history"
  case showLog = "log"
  case nextView = "next-view"
  case previousView = "previous-view"
  case zoomIn = "zoom-in"
  case zoomOut = "zoom-out"
  case scrollLeft = "scroll-left"
  case scrollRight = "scroll-right"
  case scrollToNow = "scroll-to-now"
  case zoomToFit = "zoom-to-fit"
  case cursorEarlier = "cursor-earlier"
  case cursorLater = "cursor-later"
  case openDay = "open-day"
  /// Shows or hides the actions of the user in the log.
  case toggleActions = "toggle-actions"
  case leave
  // In the lab.
  /// Advances to the next event; in the menu, opens a scene.
  case step
  case scene, faster, slower
  /// Plays the script to its end.
  case playToEnd = "play-to-end"
  case pauseScene = "pause-scene"
  case showCode = "code"
  case restartScene = "restart-scene"
  case nextScene = "next-scene"
  case previousScene = "previous-scene"
  // Appearance.
  case theme, tenths, lateness
  case wall = "layout"
  // Bell and notifications.
  case mute
  // Everywhere.
  case commandPalette = "command-palette"
  /// Clears the filter, and then the marks; in the help, it closes the help.
  case dismiss
  case help, redraw, suspend, detach, quit, interrupt
  /// Begins the guided tour.
  case tour
  case quitFully = "quit-fully"
  // In a prompt.
  case accept, cancel, complete
  // The previous or next entry of the input history, match of the palette, or row while a filter is typed.
  case previousEntry = "previous-entry"
  case nextEntry = "next-entry"
  case cursorLeft = "cursor-left"
  case cursorRight = "cursor-right"
  case cursorWordLeft = "cursor-word-left"
  case cursorWordRight = "cursor-word-right"
  case cursorStart = "cursor-start"
  case cursorEnd = "cursor-end"
  case eraseLeft = "erase-left"
  case eraseRight = "erase-right"
  case eraseWordLeft = "erase-word-left"
  case eraseWordRight = "erase-word-right"
  case eraseToStart = "erase-to-start"
  case eraseToEnd = "erase-to-end"
}

extension Binding {
  /// The part of the screen in which a binding applies. The inner scope wins over the outer one.
  enum Scope: String, CaseIterable, Hashable, Sendable {
    case board, focus, timeline, history, log, lab, prompt, help, global

    /// The scope that receives a key without a binding here.
    var outer: Scope? {
      switch self {
      case .focus, .timeline: .board
      case .board, .history, .log, .lab, .prompt, .help: .global
      case .global: nil
      }
    }
  }
}
