import TimerBoard

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
      parsed = Self.parse(editor.text, for: purpose, in: context)
      wasRejected = false
    }
  }
  /// The timers in the text, or its error.
  private(set) var parsed: Result<ParsedTimers, TimerSyntaxError>
  /// A Boolean value that indicates whether Enter was pressed while the text was invalid.
  var wasRejected = false

  init(_ purpose: Purpose, text: String = "", in context: TimerContext) {
    self.purpose = purpose
    self.context = context
    editor = LineEditor(text)
    parsed = Self.parse(editor.text, for: purpose, in: context)
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
