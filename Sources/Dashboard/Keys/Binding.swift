import TerminalCore
import TimerBoard

/// An action with its keys and texts. Key dispatch, footer, help and documentation all use the same table of
/// bindings.
struct Binding: Hashable, Sendable {
  /// The scope: that of the table that has the binding.
  var scope = Scope.global
  var keys: [Key]
  var action: Action
  /// The text in help and documentation, in at most five words.
  var help: String
  /// The label in the footer; `nil` without an entry there. Adjacent bindings with the same label share one entry.
  var footer: String?
  /// The priority in the footer if space is short: entries of rank 1 are left out last.
  var rank: Int

  /// - Parameter help: The text in help and documentation; `nil` for that of the control with the action's name.
  init(
    _ keys: [Key], _ action: Action, _ help: String? = nil, footer: String? = nil, rank: Int = 9
  ) {
    self.keys = keys
    self.action = action
    self.help = help ?? action.verb?.form.brief ?? ""
    self.footer = footer
    self.rank = rank
  }

  /// Returns the names of the keys: `↑ k`.
  func keyNames(_ symbols: Symbols) -> String {
    keys.map { $0.name(symbols) }.joined(separator: " ")
  }
}

extension [Binding] {
  /// Returns a table with its scope.
  func of(_ scope: Binding.Scope) -> [Binding] {
    map { binding in
      var binding = binding
      binding.scope = scope
      return binding
    }
  }
}
