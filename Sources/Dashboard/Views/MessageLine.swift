import TerminalCore
import TimerBoard

extension Dashboard {
  /// The message line: the notice, or else the filter and the marks of the list.
  var messageLine: Notice? {
    if let notice = attached?.notice(at: now) ?? notice { return notice }
    guard view.filter == nil, helpOffset == nil else { return nil }
    var parts: [String] = []
    if !listState.filter.isEmpty, !isTypingFilter {
      let hint = keyHint(for: .dismiss, in: .board, "clears the filter").map { "; \($0)" } ?? ""
      parts.append("\(matchCountText) match '\(listState.filter.text)'\(hint)")
    }
    if !listState.marks.isEmpty {
      parts.append("\(counted(listState.marks.count, "timer")) marked")
    }
    return parts.isEmpty ? nil : .success(parts.joined(separator: " · "))
  }

  /// The active filter of the board with the numbers of its matches and of all rows, such as `/tea 2 of 7`; `nil` if
  /// there is none or the view does not show the rows.
  fileprivate var filterTrace: String? {
    guard view.hasTimerRows, !listState.filter.isEmpty, helpOffset == nil else { return nil }
    return "/\(listState.filter.text.truncated(to: 16)) \(matchCountText)"
  }

  /// The numbers of shown rows and of all: `2 of 7`.
  var matchCountText: String {
    if let attached { return "\(attached.matchCount) of \(attached.listedCount)" }
    return "\(FilteredRows(of: self).positions.count) of \(rows.count)"
  }
}

extension Frame {
  func drawMessageLine(in area: Rect) {
    guard let message = dashboard.messageLine else { return }
    var room = area.width - 2 * inset
    // A notice replaces the text about the filter, but not its trace.
    if dashboard.notice != nil, let trace = dashboard.filterTrace, trace.cellWidth + 3 < room / 2 {
      write(trace, .faint, x: area.width - inset - trace.cellWidth, y: area.y)
      room -= trace.cellWidth + 2
    }
    write(
      message.text.cutAtWord(to: room), message.isFailure ? .failure : .success, x: inset, y: area.y
    )
  }
}

extension Painter {
  /// Draws the prompt of a filter.
  func drawFilter(_ filter: LineEditor, isTyping: Bool, countText: String, y: Int) {
    let width = canvas.size.width
    let field = PromptField(filter, x: inset + 2, width: width - inset - 2)
    write("/", .key, x: inset, y: y)
    canvas.write(field.text, x: field.x, y: y)
    if isTyping {
      canvas.cursor = Point(x: min(field.cursorX, max(0, width - 1)), y: y)
    }
    let note = filter.refusal ?? countText
    if field.x + field.text.cellWidth + note.utf8.count + 4 < width {
      let role = filter.refusal == nil ? Role.faint : .error
      write(note, role, x: width - inset - note.utf8.count, y: y)
    }
  }
}

/// The text of the message line.
struct Notice: Hashable, Sendable {
  var text: String
  var isFailure: Bool

  static func success(_ text: String) -> Notice { Notice(text: text, isFailure: false) }
  static func failure(_ text: String) -> Notice { Notice(text: text, isFailure: true) }
}

extension Notice {
  /// - Parameter timeLeft: The time that the report's timer shows.
  init(_ report: Report, timeLeft: String?) {
    text =
      (report.label.isEmpty ? "" : "\(report.label): ") + report.text
      + (timeLeft.map { ", \($0) left" } ?? "")
    isFailure = report.isFailure
  }
}
