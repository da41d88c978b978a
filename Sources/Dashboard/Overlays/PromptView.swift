import TerminalCore
import TimerBoard
import TimerKit

extension Frame {
  /// Draws the prompt, with the meaning of the text or its error below.
  func drawPrompt(in area: Rect) {
    guard !area.isEmpty else { return }
    if let prompt = dashboard.commandPrompt { return draw(prompt, in: area) }
    guard let prompt = dashboard.timerPrompt else {
      return drawFilter(
        dashboard.listState.filter, isTyping: true, countText: dashboard.matchCountText, y: area.y)
    }
    let verb = area.width < 24 ? "" : prompt.purpose == .add ? "add " : "edit "
    let label = TextLine(String(repeating: " ", count: inset))
      .adding("\(verb)\(symbols.prompt) ", .key)
    let field = PromptField(
      prompt.editor, x: label.width, width: area.width - label.width)
    draw(label, x: 0, y: area.y)
    canvas.write(field.text, x: field.x, y: area.y)
    canvas.cursor = Point(x: min(field.cursorX, area.maxX - 1), y: area.y)
    if let completion = prompt.editor.completion {
      guard area.height > 1 else { return }
      var line = TextLine()
      for word in completion.words.dropFirst(prompt.editor.choice ?? 0) {
        line.add(word, line.width == 0 && prompt.editor.choice != nil ? .key : .faint)
        line.add("  ")
      }
      return draw(line, x: field.x, y: area.y + 1, limit: area.width - field.x)
    }
    if let refusal = prompt.editor.refusal {
      guard area.height > 1 else { return }
      let text = refusal.cutAtWord(to: area.width - field.x)
      write(text, .error, x: field.x, y: area.y + 1)
      return
    }
    switch prompt.parsed {
    case .success(let parsed):
      let lines = meaning(of: parsed, for: prompt.purpose)
        .wrapped(to: area.width - field.x, lines: area.height - 1)
      for (index, line) in lines.enumerated() {
        write(line, .success, x: field.x, y: area.y + 1 + index)
      }
    case .failure(let error):
      drawError(error, of: prompt, field: field, in: area)
    }
  }

  /// Draws a pointer at the error, with the message beside or below it.
  private func drawError(
    _ error: TimerSyntaxError, of prompt: TimerPrompt, field: PromptField, in area: Rect
  ) {
    let style = theme[error.isIncomplete && !prompt.wasRejected ? .incomplete : .error]
    if error.cause == .empty, !prompt.wasRejected {
      let examples = "such as tea=3m or every 30s x8"
      guard area.height > 1 else { return }
      canvas.write(
        examples.cutAtWord(to: area.width - field.x), x: field.x, y: area.y + 1, style: style)
      return
    }
    let message = error.message
    let room = area.width - inset
    let x = min(max(field.x, field.x + error.prefix.cellWidth - field.hiddenWidth), area.maxX - 1)
    let y = area.y + 1
    guard y < area.maxY else { return }
    if x + 2 + message.cellWidth <= room {
      canvas.write("\(symbols.ascending) \(message)", x: x, y: y, style: style)
    } else if field.x + message.cellWidth + 1 <= x {
      canvas.write(message, x: x - message.cellWidth - 1, y: y, style: style)
      canvas.write(symbols.ascending, x: x, y: y, style: style)
    } else if area.height > 2 {
      canvas.write(symbols.ascending, x: x, y: y, style: style)
      canvas.write(message.cutAtWord(to: room - inset), x: inset, y: y + 1, style: style)
    } else {
      canvas.write(message.cutAtWord(to: room - inset), x: inset, y: y, style: style)
    }
  }

  /// A Boolean value that indicates whether the meaning names a time that shifts as time passes.
  var promptCounts: Bool {
    guard let area = layout.prompt, area.height > 1, let prompt = dashboard.timerPrompt,
      case .success(let parsed) = prompt.parsed, parsed.specs.count == 1,
      let spec = parsed.specs.first
    else { return false }
    if case .edit(let id) = prompt.purpose, let timer = dashboard.rows[id],
      timer.isMoving(at: context.step)
    {
      return true
    }
    return !spec.isPaused
      && (try? BoardTimer(id: TimerID(0), startOf: spec, at: now))?.timeLeft(at: now) != nil
  }

  /// Returns the meaning of timers: `tea · once 3m · fires 14:32:05`.
  private func meaning(of parsed: ParsedTimers, for purpose: TimerPrompt.Purpose) -> String {
    guard let spec = parsed.specs.first, parsed.specs.count == 1 else {
      return parsed.summary ?? ""
    }
    // An edit without a name keeps the name.
    var name = spec.name
    if case .edit(let id) = purpose { name = name ?? dashboard.rows[id]?.name }
    var time: String?
    if let row = timer(keepingItsTimeWith: spec, purpose) {
      let left = row.state == .finished ? nil : dashboard.timeText(of: row, at: now)
      time = left.map { "keeps \($0)" } ?? "unchanged"
    }
    let preview = TimerPreview(
      startingAt: now.moved(to: stepStart), uses24Hours: dashboard.options.uses24Hours,
      triggerKey: dashboard.keyName(of: .fire, in: .board))
    return preview.text(of: spec, named: name, time: time, in: parsed)
  }

  /// Returns the timer that an edit changes without a new start; `nil` if the timer starts.
  private func timer(
    keepingItsTimeWith spec: TimerSpec, _ purpose: TimerPrompt.Purpose
  ) -> BoardTimer? {
    guard case .edit(let id) = purpose, let row = dashboard.rows[id] else { return nil }
    switch try? TimerEdit(of: row, to: spec, at: now) {
    case .keepsTimer?: return row
    case .recreates(_, let keepsTime)?: return keepsTime ? row : nil
    case nil: return nil
    }
  }
}

/// The visible part of a text in its field. A text that does not fit is scrolled only as far as the cursor requires.
struct PromptField {
  let x: Int
  let text: String
  /// The width of the text to the left of the visible part.
  let hiddenWidth: Int
  let cursorX: Int

  init(_ editor: LineEditor, x: Int, width: Int) {
    self.x = x
    let before = String(editor.characters[..<editor.cursor]).cellWidth
    // The cursor takes a cell of its own after the last character.
    let excess = max(0, before + 1 - max(1, width))
    var skipped = 0
    var index = 0
    while skipped < excess, index < editor.characters.count {
      skipped += String(editor.characters[index]).cellWidth
      index += 1
    }
    hiddenWidth = skipped
    text = String(editor.characters[index...])
    cursorX = x + before - skipped
  }
}
