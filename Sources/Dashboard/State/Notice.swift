import TimerBoard

/// The text of the message line.
struct Notice: Hashable, Sendable {
  var text: String
  var isFailure: Bool

  init(text: String, isFailure: Bool) {
    self.text = text
    self.isFailure = isFailure
  }

  /// - Parameter timeLeft: The time that the report's timer shows.
  init(_ report: Report, timeLeft: String?) {
    text =
      (report.label.isEmpty ? "" : "\(report.label): ") + report.text
      + (timeLeft.map { ", \($0) left" } ?? "")
    isFailure = report.isFailure
  }

  static func success(_ text: String) -> Notice { Notice(text: text, isFailure: false) }
  static func failure(_ text: String) -> Notice { Notice(text: text, isFailure: true) }
}
