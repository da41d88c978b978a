/// A failure that ends a command with status 1.
struct ProgramFailure: ProgramError {
  let description: String

  init(_ description: String) {
    self.description = description
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
