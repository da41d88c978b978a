import TimerBoard

/// The prompt for timers: new ones, or the edit of one.
struct TimerPrompt: Sendable {
  enum Purpose: Hashable, Sendable {
    case add
    case edit(TimerID)
  }

  let purpose: Purpose
  private let context: TimerContext
  private(set) var editor: LineEditor
  /// The timers in the text, or its error.
  private(set) var parsed: Result<ParsedTimers, TimerSyntaxError>
  /// A Boolean value that indicates whether Enter was pressed while the text was invalid.
  private(set) var wasRejected = false

  init(_ purpose: Purpose, text: String = "", in context: TimerContext) {
    self.purpose = purpose
    self.context = context
    editor = LineEditor(text)
    parsed = Self.parse(editor.text, for: purpose, in: context)
  }

  mutating func insert(_ text: String) {
    editor.insert(text)
    update()
  }

  mutating func perform(_ action: Action) {
    let before = editor.characters
    if editor.perform(action), editor.characters != before { update() }
  }

  mutating func replace(with text: String) {
    editor = LineEditor(text)
    update()
  }

  mutating func reject() {
    wasRejected = true
  }

  private mutating func update() {
    parsed = Self.parse(editor.text, for: purpose, in: context)
    wasRejected = false
  }

  private static func parse(
    _ text: String, for purpose: Purpose, in context: TimerContext
  ) -> Result<ParsedTimers, TimerSyntaxError> {
    do throws(TimerSyntaxError) {
      switch purpose {
      case .add: return .success(try ParsedTimers(arguments: [text], in: context))
      case .edit: return .success(try ParsedTimers(timer: text, in: context))
      }
    } catch {
      return .failure(error)
    }
  }
}
