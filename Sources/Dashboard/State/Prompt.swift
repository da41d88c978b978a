import TimerBoard

/// Timers being typed: new ones, or what one is to become.
struct Prompt: Sendable {
  enum Purpose: Hashable, Sendable {
    case add
    case edit(TimerID)
  }

  let purpose: Purpose
  private let context: TimerContext
  private(set) var editor: LineEditor
  /// The timers of the text so far, or its error.
  private(set) var understood: Result<[TimerSpec], TimerSyntaxError>
  /// Enter was pressed on what was not understood.
  private(set) var wasRefused = false

  init(_ purpose: Purpose, text: String = "", in context: TimerContext) {
    self.purpose = purpose
    self.context = context
    editor = LineEditor(text)
    understood = Self.understand(editor.text, for: purpose, in: context)
  }

  mutating func insert(_ text: String) {
    editor.insert(text)
    read()
  }

  mutating func perform(_ action: Action) {
    let before = editor.characters
    if editor.perform(action), editor.characters != before { read() }
  }

  mutating func replace(with text: String) {
    editor = LineEditor(text)
    read()
  }

  mutating func refuse() {
    wasRefused = true
  }

  private mutating func read() {
    understood = Self.understand(editor.text, for: purpose, in: context)
    wasRefused = false
  }

  private static func understand(
    _ text: String, for purpose: Purpose, in context: TimerContext
  ) -> Result<[TimerSpec], TimerSyntaxError> {
    do throws(TimerSyntaxError) {
      switch purpose {
      case .add: return .success(try TimerSpec.parse(line: text, in: context))
      case .edit: return .success([try TimerSpec.parse(timer: text, in: context)])
      }
    } catch {
      return .failure(error)
    }
  }
}
