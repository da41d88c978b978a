import Synchronization

@testable import CarillonRuntime

/// Counts system calls and injects a fault into some of them.
final class CallFaults: Sendable {
  enum Fault: Sendable {
    /// The call has no effect and returns this error.
    case fails(Int32)
    /// The call reads or writes only one byte; calls of other kinds are unaffected.
    case stopsShort
  }

  private let count = Mutex(0)
  private let fault: @Sendable (Int) -> Fault?

  /// - Parameter fault: returns the fault of a call by its number, from 0.
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
  /// Returns the same calls with faults.
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
    // A descriptor is closed even if the call fails.
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
    calls.truncate = { number in check { truncate(number) } }
    calls.sync = { number in check { sync(number) } }
    calls.lock = { number, operation in check { lock(number, operation) } }
    calls.rename = { old, new in check { rename(old, new) } }
    calls.makeFolder = { path in check { makeFolder(path) } }
    calls.status = { path in check { status(path) } }
    calls.remove = { path in check { remove(path) } }
    calls.attributes = { number, found in check { attributes(number, &found) } }
    calls.readLink = { path, target in check { readLink(path, &target) } }
    return calls
  }
}
