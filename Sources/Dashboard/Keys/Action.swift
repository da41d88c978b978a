/// What a key can do.
enum Action: String, CaseIterable, Hashable, Sendable {
  // On the board: moving.
  case up, down, top, bottom, pageUp, pageDown, halfPageUp, halfPageDown
  // The selected timer's time.
  case startOrPause, pauseAll, reset, resetAndStop, fire, fireAndPause
  case moreTime, lessTime, longerInterval, shorterInterval, moreIterations, fewerIterations
  case skipPhase, lap
  // The list.
  case add, edit, duplicate, delete, undo, moveRowDown, moveRowUp
  // Views.
  case showBoard, showFocus, showTimeline, showLab, showLog, nextView, previousView, toggleTenths,
    nextDigits
  case zoomIn, zoomOut, scrollLeft, scrollRight, scrollToNow, leave, filter
  // In the lab.
  case step, hundred, faster, slower, pauseScene, showCode, playAgain, nextScene, previousScene
  // Everywhere.
  case help, dismiss, redraw, suspend, quit, interrupt
  // In a prompt.
  case accept, cancel
  case cursorLeft, cursorRight, cursorWordLeft, cursorWordRight, cursorStart, cursorEnd
  case eraseLeft, eraseRight, eraseWordLeft, eraseWordRight, eraseToStart, eraseToEnd
}
