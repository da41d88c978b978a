/// An error in what was asked for: an argument, an option or a combination of them.
package struct UsageError: ProgramError {
  package let description: String
  package var exitStatus: Int32 { ExitStatus.usageError }

  package init(_ description: String) {
    self.description = description
  }
}
