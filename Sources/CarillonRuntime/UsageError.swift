/// An error in the arguments, the options or their combination.
package struct UsageError: ProgramError {
  package let description: String
  package var exitStatus: Int32 { ExitStatus.usageError }

  package init(_ description: String) {
    self.description = description
  }
}
