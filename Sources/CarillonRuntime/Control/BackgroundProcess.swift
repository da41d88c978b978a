import Platform

/// The start of a process that owns a session without a terminal.
enum BackgroundProcess {
  /// Starts `carillon serve` in its own session, with the null device as its standard streams.
  /// - Parameter takesOver: True if it takes over the session from this process.
  static func start(_ name: SessionName, takesOver: Bool) -> StartOutcome {
    startProcess(
      [programPath, "serve", "--background", "--session", name.description]
        + (takesOver ? ["--take-over"] : []), startsSession: true)
  }
}
