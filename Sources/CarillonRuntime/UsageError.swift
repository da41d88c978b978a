/// A failure that ends a command with status 1.
struct ProgramFailure: ProgramError {
  let description: String

  init(_ description: String) {
    self.description = description
  }

  /// The environment names no folder for sessions.
  static func noFolder(_ command: String) -> ProgramFailure {
    ProgramFailure("\(command): no folder for the session (expected HOME in the environment)")
  }
}

/// An error in the arguments, the options or their combination.
package struct UsageError: ProgramError {
  package let description: String
  package var exitStatus: Int32 { ExitStatus.usageError }

  package init(_ description: String) {
    self.description = description
  }
}
