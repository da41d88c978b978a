import TerminalCore
import TimerBoard
import TimerKit

/// The matches of the command palette for its line: commands, or the timers and values that a typed command takes.
struct Palette {
  /// The maximum number of timers and groups among the matches.
  static let limit = 50
  private static let recentLimit = 3
  /// The maximum number of timers, the best matches first, for which the palette checks whether the command applies to them.
  private static let checkedTimerLimit = 2_000

  struct Match: Hashable {
    /// The text that is matched.
    var name: String
    /// The indices of the characters that match.
    var matchedCharacters: Set<Int> = []
    var key = ""
    var detail = ""
    /// The line of the palette with the match completed.
    var line: String
    /// The command of the line.
    var action: Action
  }

  /// The kind of the matches: `commands`.
  private(set) var title = "commands"
  private(set) var matches: [Match] = []
  /// A Boolean value that indicates whether the list is drawn, even if it is empty; false if the argument has no
  /// matches and needs none, such as a text or a duration.
  private(set) var showsList = true
  /// The text of an empty list. If names match, it says why the command has no effect on their timers.
  private(set) var emptyText = "no matches"
  /// The command of the line, or of the selected match; `nil` if there is none.
  private(set) var action: Action?
  /// The index of the selected match; `nil` if Enter runs the line as it is.
  private(set) var selected: Int?

  private let dashboard: Dashboard
  private let now: ClockReading

  var selectedMatch: Match? { selected.map { matches[$0] } }

  init(of dashboard: Dashboard, at now: ClockReading) {
    self.dashboard = dashboard
    self.now = now
    guard let prompt = dashboard.commandPrompt else { return }
    let text = prompt.text.drop { $0 == " " }
    let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    let word = String(words.first ?? "")
    var takesFirst = !word.isEmpty && words.count == 1
    if words.count > 1, let action = try? Command.action(named: word) {
      let argument = words[1].drop { $0 == " " }
      self.action = action
      takesFirst = action.takesFirstMatch(of: argument)
      addMatches(of: String(argument), for: action)
    } else {
      addCommands(matching: word)
    }
    if let choice = prompt.choice {
      selected = matches.isEmpty ? nil : min(choice, matches.count - 1)
    } else if takesFirst, !matches.isEmpty {
      selected = 0
    }
    if let match = selectedMatch { action = match.action }
  }

  private mutating func addCommands(matching word: String) {
    var bindings = dashboard.commandBindings(at: now)
    let exact = Command.exactAction(named: word)
    if let exact, !bindings.contains(where: { $0.action == exact }) {
      // A command that has no effect here is found by its name, and says why when it is run.
      bindings += Bindings.standard.all.first { $0.action == exact }.map { [$0] } ?? []
    }
    if word.isEmpty {
      let available = Set(bindings.map(\.action))
      for line in dashboard.commandInputHistory.recent where matches.count < Self.recentLimit {
        guard let action = try? Command(line).action, available.contains(action) else { continue }
        matches.append(Match(name: line, detail: "recent", line: line, action: action))
      }
    }
    let pattern = FuzzyPattern(word)
    let ranked = bindings.enumerated().compactMap { index, binding -> (rank: Int, index: Int)? in
      let name = binding.action.rawValue
      if binding.action == exact { return (.max, index) }
      if let rank = pattern.rank(of: name, length: name.utf8.count) { return (rank, index) }
      // A word of the description counts less than any match of a name.
      return word.count > 2 && binding.help.hasWord(beginning: word) ? (.min, index) : nil
    }
    let sorted = ranked.sorted { ($1.rank, $0.index) < ($0.rank, $1.index) }
    // Commands that are rarely typed come last, however well they match.
    let isLast = { bindings[$0].action.isListedLast && bindings[$0].action != exact }
    let ordered = sorted.filter { !isLast($0.index) } + sorted.filter { isLast($0.index) }
    matches += ordered.map { bindings[$0.index] }.map { binding in
      let name = binding.action.rawValue
      // A synonym is kept, because it can have a meaning of its own.
      let command = binding.action == exact ? word : name
      return Match(
        name: name, matchedCharacters: pattern.matches(in: name),
        key: dashboard.keyName(of: binding.action, in: binding.scope), detail: binding.help,
        line: binding.action.takesArgument ? "\(command) " : command, action: binding.action)
    }
  }

  private mutating func addMatches(of argument: String, for action: Action) {
    if let values = dashboard.values(of: action) {
      title = values.title
      let pattern = FuzzyPattern(argument)
      let ranked = values.all.enumerated().compactMap { index, value in
        pattern.rank(of: value.name, length: value.name.utf8.count).map { (rank: $0, index: index) }
      }
      for (_, index) in ranked.sorted(by: { ($1.rank, $0.index) < ($0.rank, $1.index) }) {
        let (name, detail) = values.all[index]
        add(name, detail, pattern, line: "\(action.rawValue) \(name)", for: action)
      }
    } else {
      if action.form.takesTimer, !action.isDuration(argument) {
        addTimers(matching: argument, for: action)
      }
      showsList = !matches.isEmpty || (action.form.takesTimer && action.form.value == nil)
    }
  }

  /// Adds the groups and the timers to which an action applies, as many as the list holds.
  private mutating func addTimers(matching argument: String, for action: Action) {
    title = "timers"
    let all = dashboard.rows.all
    let pattern = FuzzyPattern(argument)
    var unaffected: Set<TimerID> = []
    if action.form.target == .timers { addGroups(matching: pattern, for: action, &unaffected) }
    // Many names have the same rank, so sorting ranks is faster than sorting names.
    var positions: [Int: [Int]] = [:]
    for position in all.indices {
      let rank = pattern.rank(
        of: all[position].searchText, length: all[position].label.utf8.count)
      if let rank { positions[rank, default: []].append(position) }
    }
    let ranks = positions.keys.sorted(by: >)
    let ranked = ranks.lazy.flatMap { positions[$0] ?? [] }
    for position in ranked.prefix(Self.checkedTimerLimit) {
      let row = all[position]
      guard dashboard.applies(action, toTimerAt: position, at: now) else {
        unaffected.insert(row.id)
        continue
      }
      guard matches.count < Self.limit else {
        title = "timers, the first \(Self.limit)"
        return
      }
      let state = row.state == .running ? "" : " · \(row.stateLabel(Role(row.state)))"
      let name = row.name ?? row.id.reference
      let detail = row.kindAndSuccessorText + state
      add(row.label, detail, pattern, line: action.line(naming: name), for: action)
    }
    if let text = dashboard.noEffectText(of: action, on: unaffected, at: now) { emptyText = text }
  }

  /// Adds the groups to whose timers an action applies.
  private mutating func addGroups(
    matching pattern: FuzzyPattern, for action: Action, _ unaffected: inout Set<TimerID>
  ) {
    for group in dashboard.rows.groups.sorted() where matches.count < Self.limit {
      guard pattern.rank(of: group.lowercased(), length: group.utf8.count) != nil else { continue }
      let ids = dashboard.rows.ids(named: group)
      guard dashboard.applies(action, to: ids, at: now) else {
        unaffected.formUnion(ids)
        continue
      }
      let detail = "group of \(counted(ids.count, "timer"))"
      add(group, detail, pattern, line: action.line(naming: group), for: action)
    }
  }

  /// Adds a timer, a group or a value.
  private mutating func add(
    _ name: String, _ detail: String, _ pattern: FuzzyPattern, line: String, for action: Action
  ) {
    matches.append(
      Match(
        name: name, matchedCharacters: pattern.matches(in: name), detail: detail, line: line,
        action: action))
  }
}

extension Action {
  /// Returns the line that names a timer or a group, after which the value can follow.
  fileprivate func line(naming name: String) -> String {
    "\(rawValue) \(name)" + (form.value == nil ? "" : " ")
  }

  /// Returns true if Enter takes the best match of a typed argument. An empty argument, or one that can be a value
  /// without a list, such as a text or `5m`, is kept as it is.
  fileprivate func takesFirstMatch(of argument: Substring) -> Bool {
    switch form.value {
    case .text, .timerSyntax: false
    case .duration: argument.first?.isLetter ?? false
    case .theme, .column, .layout, .scene, nil: !argument.isEmpty
    }
  }
}

extension String {
  /// Returns true if a word of the text begins with a prefix.
  fileprivate func hasWord(beginning prefix: String) -> Bool {
    let prefix = prefix.lowercased()
    return lowercased().split { !$0.isLetter && !$0.isNumber }.contains { $0.hasPrefix(prefix) }
  }
}
