import TimerBoard
import TimerKit

/// A parsed command line: an action and its argument.
struct Command {
  let action: Action
  let argument: String

  /// An error in a command line.
  struct Fault: Error {
    let text: String
  }

  /// All actions but those of text entry and help.
  static let actions: Set<Action> = {
    let scopes = Binding.Scope.allCases.filter { $0 != .prompt && $0 != .help }
    return scopes.reduce(into: Set<Action>()) { $0.formUnion($1.actions) }.subtracting([.command])
  }()

  static let names = actions.map(\.rawValue).sorted()

  /// Parses a command line. A name may be shortened as long as it is unique.
  init(_ line: String) throws(Fault) {
    let parts = line.split(separator: " ", maxSplits: 1).map(String.init)
    let name = parts.first ?? ""
    let matches = Self.names.filter { $0.hasPrefix(name) }
    guard let action = matches.first(where: { $0 == name }) ?? matches.first else {
      let nearest =
        Suggestion.nearest(to: name, of: Self.names)
        .map { "did you mean '\($0)'?" } ?? "Tab lists the commands"
      throw Fault(text: "unknown command '\(name)' (\(nearest))")
    }
    guard matches.count == 1 || matches.contains(name), let action = Action(rawValue: action) else {
      throw Fault(text: "ambiguous command '\(name)' (expected \(matches.joined(separator: ", ")))")
    }
    self.action = action
    argument = parts.count > 1 ? parts[1].trimmed : ""
    guard argument.isEmpty || action.takes != .nothing else {
      throw Fault(text: "'\(action.rawValue)' takes no argument")
    }
    guard !argument.isEmpty || !action.needsArgument else {
      throw Fault(
        text: "'\(action.rawValue)' needs \(action.takes == .text ? "a text" : "a duration")")
    }
  }
}

extension Action {
  /// The kind of argument on the command line.
  enum Argument: Hashable {
    case nothing, timers, timer, text, duration, theme, column, digits
  }

  /// A Boolean value that indicates whether the action has no meaning without its argument.
  var needsArgument: Bool { [.interval, .rename, .note].contains(self) }

  var takes: Argument {
    switch self {
    case .add: .timers
    case .edit: .timer
    case .filter, .rename, .note: .text
    case .moreTime, .lessTime, .interval: .duration
    case .theme: .theme
    case .order: .column
    case .digits: .digits
    default: .nothing
    }
  }
}

extension RowOrder {
  /// The names of the sort columns.
  static let names = ["own"] + columns.map(\.orderName)

  /// The name of the sort column.
  var name: String { column?.orderName ?? "own" }

  init?(named name: String) {
    guard name != "own" else {
      self.init()
      return
    }
    guard let column = Self.columns.first(where: { $0.orderName == name }) else { return nil }
    self.init(column: column)
  }
}

extension TableColumns.Column {
  fileprivate var orderName: String {
    title.lowercased().split(separator: " ").first.map(String.init) ?? ""
  }
}

extension String {
  fileprivate var trimmed: String {
    split(separator: " ", omittingEmptySubsequences: true).isEmpty
      ? "" : String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
  }
}
