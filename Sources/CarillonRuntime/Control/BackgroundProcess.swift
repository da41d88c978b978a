import Platform

/// The start of a process that owns a session without a terminal.
enum BackgroundProcess {
  /// Starts `carillon serve` detached from the terminal (`setsid`), with the null device as its standard streams.
  /// - Parameters:
  ///   - takesOver: True if the new process takes over the session from this process.
  ///   - configuration: The path of its configuration; `nil` for the default one.
  static func start(
    _ name: SessionName, takesOver: Bool, configuration: String? = nil
  ) -> StartOutcome {
    startProcess(
      [programPath, "serve", "--background", "--session", name.description]
        + (takesOver ? ["--take-over"] : []) + (configuration.map { ["--config", $0] } ?? []),
      startsSession: true)
  }
}
