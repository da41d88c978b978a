import TimerBoard

/// An overlay over a view: a line of text that the user types.
enum Prompt: Sendable {
  case timers(TimerPrompt)
  case command(CommandPrompt)
  /// The filter of the view.
  case filter
}

extension Dashboard {
  /// A Boolean value that indicates whether a prompt is open, even if the help covers it.
  var isTyping: Bool { prompt != nil }

  var isTypingFilter: Bool { if case .filter? = prompt { true } else { false } }

  /// The open prompt for timers. Changing it closes the help over it.
  var timerPrompt: TimerPrompt? {
    get { if case .timers(let prompt)? = prompt { prompt } else { nil } }
    set { prompt = newValue.map { .timers($0) } }
  }

  /// The open prompt of the command palette. Changing it closes the help over it.
  var commandPrompt: CommandPrompt? {
    get { if case .command(let prompt)? = prompt { prompt } else { nil } }
    set { prompt = newValue.map { .command($0) } }
  }

  /// The editor of the open prompt.
  var editor: LineEditor? {
    switch prompt {
    case .timers(let prompt)?: prompt.editor
    case .command(let prompt)?: prompt.editor
    case .filter?: self[keyPath: filterPath]
    case nil: nil
    }
  }

  /// Parses the text of the prompt for timers if it has changed.
  mutating func parsePrompt() {
    guard case .timers(var prompt)? = prompt, prompt.isOutdated else { return }
    // The help can have been opened over the prompt since.
    let help = helpOffset
    prompt.parse()
    timerPrompt = prompt
    helpOffset = help
  }

  /// Changes the text of the open prompt.
  mutating func edit(_ change: (inout LineEditor) -> Void) {
    switch prompt {
    case .timers(var prompt)?:
      change(&prompt.editor)
      timerPrompt = prompt
    case .command(var prompt)?:
      change(&prompt.editor)
      commandPrompt = prompt
    case .filter?: editFilter(change)
    case nil: break
    }
  }
}

/// The prompt for timers: new ones, or the edit of one.
struct TimerPrompt: Sendable {
  enum Purpose: Hashable, Sendable {
    case add
    case edit(TimerID)
  }

  let purpose: Purpose
  private let context: TimerContext
  var editor: LineEditor {
    didSet {
      guard editor.characters != oldValue.characters else { return }
      isOutdated = true
      wasRejected = false
    }
  }
  /// Completes the word before the cursor.
  mutating func complete() { editor.complete { [context] in TimerCompletion(of: $0, in: context) } }

  /// The timers in the text, or its error.
  var parsed: Result<ParsedTimers, TimerSyntaxError> {
    isOutdated ? Self.parse(editor.text, for: purpose, in: context) : latest
  }
  /// The result of the latest ``parse()``.
  private var latest: Result<ParsedTimers, TimerSyntaxError>
  /// A Boolean value that indicates whether the text has changed since it was parsed.
  private(set) var isOutdated = false
  /// A Boolean value that indicates whether Enter was pressed while the text was invalid.
  var wasRejected = false

  init(_ purpose: Purpose, text: String = "", in context: TimerContext) {
    self.purpose = purpose
    self.context = context
    editor = LineEditor(text)
    latest = Self.parse(editor.text, for: purpose, in: context)
  }

  /// Parses the text. Many changes that arrive together are parsed once.
  mutating func parse() {
    latest = parsed
    isOutdated = false
  }

  private static func parse(
    _ text: String, for purpose: Purpose, in context: TimerContext
  ) -> Result<ParsedTimers, TimerSyntaxError> {
    Result { () throws(TimerSyntaxError) in
      try ParsedTimers(arguments: [text], isOne: purpose != .add, in: context)
    }
  }
}

/// The prompt of the command palette: the line that is edited, and the match that was chosen.
struct CommandPrompt: Hashable, Sendable {
  var editor = LineEditor() {
    didSet {
      if editor.characters != oldValue.characters { (error, choice) = (nil, nil) }
    }
  }
  /// The error of the last attempt to run the line or a match; `nil` once the text or the choice has changed.
  var error: String?
  /// The index of the match that was chosen with a key or a click since the text last changed; `nil` if none was.
  private(set) var choice: Int?

  var text: String { editor.text }

  mutating func choose(_ index: Int) {
    choice = index
    error = nil
  }
}

/// A line of text with a cursor.
struct LineEditor: Hashable, Sendable {
  /// The limit of a line, and that of a filter.
  static let (maximumLength, maximumFilterLength) = (4096, 256)

  /// The number of characters for which the line has room.
  let limit: Int
  private(set) var characters: [Character]
  /// The number of characters before the cursor.
  private(set) var cursor: Int
  /// The completions among which the next completion chooses; `nil` after any other action.
  private(set) var completion: TimerCompletion?
  /// The index of the completion that was chosen; `nil` before the first choice.
  private(set) var choice: Int?
  /// The reason for which the last text was not inserted; `nil` after any other action.
  private(set) var refusal: String?

  /// Creates an editor with the cursor at the end of the text.
  init(_ text: String = "", limit: Int = maximumLength) {
    characters = Array(text)
    cursor = characters.count
    self.limit = limit
  }

  /// The empty line of a filter.
  static var forFilter: LineEditor { LineEditor(limit: maximumFilterLength) }

  var text: String { String(characters) }
  var isEmpty: Bool { characters.isEmpty }

  /// Inserts a text at the cursor. Line breaks and tabs become spaces. A text for which there is no room is refused whole.
  mutating func insert(_ text: String) { insert(text, replacing: cursor..<cursor) }

  private mutating func insert(_ text: String, replacing range: Range<Int>) {
    completion = nil
    refusal = nil
    guard characters.count - range.count + text.count <= limit else { return refuse() }
    replace(range, with: String(text.map { $0.isNewline || $0 == "\t" ? " " : $0 }))
  }

  /// Notes that a text has no room.
  mutating func refuse() { refusal = "text is too long (expected at most \(limit) characters)" }

  /// Performs an editing action; ignores others.
  mutating func perform(_ action: Action) {
    completion = nil
    refusal = nil
    switch action {
    case .cursorLeft: cursor = max(0, cursor - 1)
    case .cursorRight: cursor = min(characters.count, cursor + 1)
    case .cursorWordLeft: cursor = wordStart
    case .cursorWordRight: cursor = wordEnd
    case .cursorStart: cursor = 0
    case .cursorEnd: cursor = characters.count
    case .eraseLeft: erase(max(0, cursor - 1)..<cursor)
    case .eraseRight: erase(cursor..<min(characters.count, cursor + 1))
    case .eraseWordLeft: erase(wordStart..<cursor)
    case .eraseWordRight: erase(cursor..<wordEnd)
    case .eraseToStart: erase(0..<cursor)
    case .eraseToEnd: erase(cursor..<characters.count)
    default: break
    }
  }

  /// Completes the word before the cursor, with a blank after it if it has one completion, and otherwise as far as all
  /// of them agree. The next calls choose each of them in turn.
  mutating func complete(_ completion: (String) -> TimerCompletion) {
    if let shown = self.completion, shown.start <= cursor {
      choice = choice.map { ($0 + 1) % shown.words.count } ?? 0
      return replace(with: shown.words[choice ?? 0], keeping: shown)
    }
    let found = completion(String(characters[..<cursor]))
    guard found.start <= cursor, let first = found.words.first else { return }
    choice = nil
    if found.words.count == 1 { return replace(with: first + " ", keeping: found) }
    let common = found.words.dropFirst().reduce(first) { common, word in
      String(zip(common, word).prefix { $0 == $1 }.map(\.0))
    }
    let isLonger = common.count > cursor - found.start
    replace(with: isLonger ? common : String(characters[found.start..<cursor]), keeping: found)
  }

  private mutating func replace(with word: String, keeping completion: TimerCompletion) {
    insert(word, replacing: completion.start..<cursor)
    self.completion = completion.words.count > 1 ? completion : nil
  }

  private mutating func erase(_ range: Range<Int>) { replace(range, with: "") }

  /// Replaces characters, and moves the cursor behind the new ones.
  private mutating func replace(_ range: Range<Int>, with text: String) {
    let neighbors = [range.lowerBound - 1, range.upperBound].filter(characters.indices.contains)
    if text.utf8.allSatisfy({ $0 < 0x80 }), neighbors.allSatisfy({ characters[$0].isASCII }) {
      characters.replaceSubrange(range, with: text)
      cursor = range.lowerBound + text.utf8.count
      return
    }
    let before = String(characters[..<range.lowerBound]) + text
    // A combining mark joins the character before it, so the characters are counted again.
    characters = Array(before + String(characters[range.upperBound...]))
    cursor = min(before.count, characters.count)
  }

  private var wordStart: Int {
    var index = cursor
    while index > 0, characters[index - 1].isWhitespace { index -= 1 }
    while index > 0, !characters[index - 1].isWhitespace { index -= 1 }
    return index
  }

  private var wordEnd: Int {
    var index = cursor
    while index < characters.count, characters[index].isWhitespace { index += 1 }
    while index < characters.count, !characters[index].isWhitespace { index += 1 }
    return index
  }
}

/// The history of typed lines, the most recent last.
struct InputHistory: Hashable, Sendable {
  private static let limit = 100

  private var lines: [String] = []
  /// The index of the shown line; `nil` for the draft.
  private var index: Int?
  /// The text that was being typed before the history was shown.
  private var draft = ""

  /// The lines, the most recent first.
  var recent: ReversedCollection<[String]> { lines.reversed() }

  mutating func add(_ line: String) {
    lines.removeAll { $0 == line }
    lines.append(line)
    if lines.count > Self.limit { lines.removeFirst() }
    reset()
  }

  /// Clears the shown line and the draft, for a new prompt.
  mutating func reset() {
    index = nil
    draft = ""
  }

  /// Returns the line before the shown one, and keeps the text as the draft if no line is shown yet; `nil` if there is
  /// none.
  mutating func older(keeping text: String) -> String? {
    if index == nil { draft = text }
    let earlier = (index ?? lines.count) - 1
    guard earlier >= 0 else { return nil }
    index = earlier
    return lines[earlier]
  }

  /// Returns the line after the shown one, or the draft after the last; `nil` if the draft is shown already.
  mutating func newer() -> String? {
    guard let shown = index else { return nil }
    index = shown + 1 < lines.count ? shown + 1 : nil
    return index.map { lines[$0] } ?? draft
  }
}
