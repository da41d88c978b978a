import Synchronization

@testable import CarillonRuntime

/// Counts calls and decides the fault of each.
final class CallFaults: Sendable {
  enum Fault: Sendable {
    /// It does nothing, and answers with this error.
    case fails(Int32)
    /// It reads or writes one byte of many; other calls are as they should be.
    case stopsShort
  }

  private let count = Mutex(0)
  private let fault: @Sendable (Int) -> Fault?

  /// - Parameter fault: of a call by its number, from 0.
  init(_ fault: @escaping @Sendable (Int) -> Fault?) {
    self.fault = fault
  }

  var callCount: Int { count.withLock { $0 } }

  fileprivate func next() -> Fault? {
    fault(
      count.withLock { count in
        defer { count += 1 }
        return count
      })
  }
}

extension FileCalls {
  /// The same calls with faults.
  func with(_ faults: CallFaults) -> FileCalls {
    @Sendable func check(_ call: () -> Int32) -> Int32 {
      if case .fails(let number) = faults.next() { return failure(number) }
      return call()
    }
    @Sendable func check(_ count: Int, _ call: (Int) -> Int) -> Int {
      switch faults.next() {
      case .fails(let number): Int(failure(number))
      case .stopsShort: call(min(1, count))
      case nil: call(count)
      }
    }
    var calls = self
    calls.open = { path, flags in check { open(path, flags) } }
    // A descriptor is gone even where its closing fails.
    calls.close = { number in
      let result = close(number)
      return check { result }
    }
    calls.read = { number, bytes in
      check(bytes.count) { read(number, .init(rebasing: bytes[..<$0])) }
    }
    calls.write = { number, bytes in
      check(bytes.count) { write(number, .init(rebasing: bytes[..<$0])) }
    }
    calls.empty = { number in check { empty(number) } }
    calls.sync = { number in check { sync(number) } }
    calls.lock = { number, operation in check { lock(number, operation) } }
    calls.rename = { old, new in check { rename(old, new) } }
    calls.makeFolder = { path in check { makeFolder(path) } }
    calls.find = { path in check { find(path) } }
    calls.remove = { path in check { remove(path) } }
    calls.inspect = { number, facts in check { inspect(number, &facts) } }
    calls.readLink = { path, target in check { readLink(path, &target) } }
    return calls
  }
}
