extension Repeater {
  /// Replaces the handler the timer was made with, and keeps its place among the observers.
  public func setHandler(_ handler: @escaping Handler) {
    storage.replace(where: \.isHandler, with: .handler(Call(handler: handler)))
  }
}
