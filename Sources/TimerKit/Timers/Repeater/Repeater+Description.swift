extension Repeater.Mode: CustomStringConvertible {
  /// The number of fires: `once`, `5 times` or `infinite`.
  public var description: String {
    count.map { $0 == 1 ? "once" : "\($0) times" } ?? "infinite"
  }
}

extension Repeater.MissedTicks: CustomStringConvertible {
  /// The name of the policy: `skip`, `delay` or `burst of at most 3`.
  public var description: String {
    switch self {
    case .skip: "skip"
    case .delay: "delay"
    case .burst(let limit): "burst of at most \(limit)"
    }
  }
}
