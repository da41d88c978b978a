import TimerKit

/// The steps that can be undone or redone.
struct UndoHistory: Sendable {
  struct Step: Sendable {
    /// The name of the action, such as `delete`.
    var name: String
    var entries: [Entry]
    /// The reading of the clocks at the step.
    var takenAt: ClockReading
  }

  /// A timer that a step has changed, added or deleted.
  struct Entry: Sendable {
    let id: TimerID
    /// The timer before the step; `nil` if the step has added it.
    var before: BoardTimer?
    /// The timer after the step; `nil` if the step has deleted it.
    var after: BoardTimer?
    /// The position of the timer before the step.
    var position: Int

    /// A Boolean value that indicates whether the step has changed the time of a timer that is still there. That a timer
    /// was triggered cannot be taken back; that its triggers were dropped can.
    var changesMachine: Bool {
      guard let before = before?.settings, let after = after?.settings,
        before.machine != after.machine
      else { return false }
      let isOnlyTriggers = before.machine.calls != nil && after.machine.calls != nil
      return !isOnlyTriggers || dropsTriggers || before.requested != after.requested
    }

    /// A Boolean value that indicates whether the step has dropped what was pending.
    private var dropsTriggers: Bool {
      before?.machine.calls != nil && before?.state == .running && after?.state == .idle
    }

    /// A Boolean value that indicates whether the step has changed only which other timer this one starts.
    var changesOnlyLinks: Bool {
      guard var before = before?.settings, let after = after?.settings else { return false }
      before.requested.successor = after.requested.successor
      before.requested.chainCount = after.requested.chainCount
      return before == after
    }

    /// A Boolean value that indicates whether there is anything to undo.
    fileprivate var isEmpty: Bool {
      guard let before, let after else { return before == nil && after == nil }
      if changesMachine { return false }
      var settings = before.settings
      settings.machine = after.settings.machine
      settings.run = after.settings.run
      return settings == after.settings
    }
  }

  /// The maximum number of steps.
  static let limit = 200
  /// The maximum number of timers in the steps to undo, except that the newest step can have any number.
  private static let entryLimit = 50_000
  /// The maximum number of deleted timers in the steps to undo, and in those to redo, with their recent activity: an undo
  /// brings back their past on the timeline. With the others, the activity would take up to 20 KiB each.
  static let activityLimit = 256

  /// The newest last.
  private var done: [Step] = []
  private var undone: [Step] = []

  /// The number of steps that can be undone or redone.
  var count: Int { done.count + undone.count }

  /// Adds the inverse of a step that was undone or redone.
  mutating func add(_ step: Step, isUndone: Bool) {
    guard isUndone else { return append(step) }
    undone.append(step)
    Self.forgetOldActivity(in: &undone)
  }

  /// Adds a new step, after which no earlier one can be redone.
  mutating func add(_ step: Step) {
    undone = []
    append(step)
  }

  private mutating func append(_ step: Step) {
    done.append(step)
    var room = Self.entryLimit
    let kept = done.reversed().prefix { step in
      defer { room -= step.entries.count }
      return room > 0
    }
    done.removeFirst(done.count - min(kept.count, Self.limit))
    Self.forgetOldActivity(in: &done)
  }

  /// Forgets the recent activity of all timers but those in the newest steps.
  private static func forgetOldActivity(in steps: inout [Step]) {
    var room = activityLimit
    for step in steps.indices.reversed() {
      for entry in steps[step].entries.indices
      where steps[step].entries[entry].before?.recentActivity.isEmpty == false {
        room -= 1
        if room < 0 { steps[step].entries[entry].before?.forgetRecentActivity() }
      }
    }
  }

  /// The size of the memory of the recent activity in all steps in bytes, if none of it is shared.
  var activityByteCount: Int {
    (done + undone).reduce(0) { sum, step in
      step.entries.reduce(sum) { sum, entry in
        [entry.before, entry.after].reduce(sum) { $0 + ($1?.recentActivity.byteCount ?? 0) }
      }
    }
  }

  /// Takes the newest step to undo or to redo.
  mutating func takeLast(isRedo: Bool) -> Step? { isRedo ? undone.popLast() : done.popLast() }

  /// Returns true if there is a step to undo or to redo.
  func hasStep(isRedo: Bool) -> Bool { !(isRedo ? undone : done).isEmpty }
}

/// The timers that a step touches, each as it was at first.
struct UndoJournal: Sendable {
  private var touched: [TimerID: (before: BoardTimer?, position: Int)] = [:]
  private var order: [TimerID] = []

  mutating func add(_ id: TimerID) { touch(id, nil, at: 0) }
  mutating func change(_ timer: BoardTimer, at position: Int) {
    touch(timer.id, timer, at: position)
  }
  mutating func remove(_ timer: BoardTimer, at position: Int) {
    touch(timer.id, timer, at: position)
  }

  private mutating func touch(_ id: TimerID, _ before: BoardTimer?, at position: Int) {
    guard touched[id] == nil else { return }
    touched[id] = (before, position)
    order.append(id)
  }

  /// Returns the timers that the step has really changed.
  /// - Parameter after: Returns a timer as it is now.
  func entries(after: (TimerID) -> BoardTimer?) -> [UndoHistory.Entry] {
    order.compactMap { id in
      guard let (touched, position) = touched[id] else { return nil }
      var (before, after) = (touched, after(id))
      // Only a deleted timer gets its past back.
      if after != nil {
        before?.forgetRecentActivity()
        after?.forgetRecentActivity()
      }
      let entry = UndoHistory.Entry(id: id, before: before, after: after, position: position)
      return entry.isEmpty ? nil : entry
    }
  }
}
