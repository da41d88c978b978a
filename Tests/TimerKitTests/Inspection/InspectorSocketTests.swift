import Foundation
import Fuzzing
import Testing

@testable import TimerKit
@testable import TimerKitInspector

/// The inspector's socket: who can use it, and what it does with any client.
@Suite struct InspectorSocketTests {
  @Test func requestsAreAnsweredOrRefused() async {
    await #expect(processExitsWith: .success) {
      try await inspecting { path in
        let client = try InspectorClient(path)
        #expect(client.ask("hello") == ["timerkit\t1\t\(getpid())\ttest\u{FFFD}\t0"])
        let unknown = ["", "\t", "Hello", "hello\t", " hello", "hello\r", "page", "control", "\0"]
        for unknown in unknown {
          #expect(client.ask(unknown) == ["error\tunknown request"], "\(unknown)")
        }
        for (count, isValid) in [(-1, false), (0, true), (1, true), (200, true), (201, false)] {
          let first = client.ask("page\t0\t\(count)\tname\t0\t")?.first
          #expect(first?.hasPrefix(isValid ? "totals\t" : "error\t") == true, "\(count)")
        }
        let offsets = [
          ("-1", false), ("0", true), ("1", true), ("9223372036854775807", true),
          ("9223372036854775808", false), ("", false), ("1.5", false), ("٣", false),
        ]
        for (offset, isValid) in offsets {
          let first = client.ask("page\t\(offset)\t200\tname\t0\t")?.first
          #expect(first?.hasPrefix(isValid ? "totals\t" : "error\t") == true, "\(offset)")
        }
        for wrong in ["0\t1\tage\t0\t", "0\t1\tname\t2\t", "0\t1\tname\t\t", "0\t1\t\t0\t"] {
          #expect(client.ask("page\t\(wrong)") == ["error\tinvalid page"])
        }
        client.send([0xFF, 0xFE, 10])
        #expect(client.reply() == ["error\tnot UTF-8"])
        // Requests that come together, and in parts.
        client.send(Array("hello\nhello\nhel".utf8))
        #expect(client.reply()?.count == 1 && client.reply()?.count == 1)
        client.send(Array("lo\n".utf8))
        #expect(client.reply()?.count == 1)
      }
    }
  }

  @Test func aLineThatIsTooLongEndsTheConnection() async {
    await #expect(processExitsWith: .success) {
      try await inspecting { path in
        for count in [1023, 1024] {
          let client = try InspectorClient(path)
          #expect(client.ask(String(repeating: "x", count: count)) == ["error\tunknown request"])
          #expect(client.ask("hello")?.count == 1)
        }
        for end in ["", "\n"] {
          let client = try InspectorClient(path)
          client.send(Array((String(repeating: "x", count: 1025) + end).utf8))
          #expect(client.isClosed())
        }
        #expect(try InspectorClient(path).ask("hello")?.count == 1)
      }
    }
  }

  /// Garbage of every length, and requests with garbage in every field.
  @Test func garbageDoesNoHarm() async {
    await #expect(processExitsWith: .success) {
      try await inspecting(allowsControl: true) { path in
        var random = SplitMix(state: 42)
        var client = try InspectorClient(path)
        for length in 0...2000 {
          var bytes = (0..<length).map { _ in UInt8(random.below(256)) }
          switch random.below(4) {
          case 0: bytes = Array("page\t".utf8) + bytes
          case 1: bytes = Array("control\t".utf8) + bytes
          case 2: bytes = bytes.map { [9, 48, 49, 255][Int($0) % 4] }
          default: break
          }
          // A reply for each line, or the end of the connection.
          client.send(bytes + [10])
          let lines = bytes.split(separator: 10, omittingEmptySubsequences: false)
          let valid = lines.prefix { $0.count <= 1024 }
          for line in valid { #expect(client.reply() != nil, "\(line)") }
          if valid.count < lines.count {
            #expect(client.isClosed())
            client = try InspectorClient(path)
          }
        }
        #expect(client.ask("hello")?.count == 1)
      }
    }
  }

  @Test func sixteenClientsAreServed() async {
    await #expect(processExitsWith: .success) {
      try await inspecting { path in
        var clients: [InspectorClient] = []
        for _ in 0..<20 {
          let client = try InspectorClient(path)
          // One that is refused reads the reason before it asks.
          let isRefused = clients.count == 16
          let reply = isRefused ? client.reply() : client.ask("hello")
          if isRefused {
            #expect(reply == ["error\ttoo many clients (at most 16)"])
            #expect(client.isClosed())
          } else {
            #expect(reply?.first?.hasPrefix("timerkit") == true)
            clients.append(client)
          }
        }
        #expect(clients.count == 16)
        #expect(clients.allSatisfy { $0.ask("hello")?.count == 1 })
        clients.removeLast()
        var next: [String]?
        while next?.first?.hasPrefix("timerkit") != true {
          next = try InspectorClient(path).ask("hello")
        }
      }
    }
  }

  /// Forgotten boards keep no other client out.
  @Test func idleClientsAreDisconnected() async {
    await #expect(processExitsWith: .success) {
      try await inspecting(idleLimit: .milliseconds(300)) { path in
        for _ in 0..<3 {
          let idle = try (0..<15).map { _ in try InspectorClient(path) }
          #expect(idle.allSatisfy { $0.ask("hello") != nil })
          for client in idle { #expect(client.isClosed()) }
        }
      }
    }
  }

  /// Requests that wait in the socket of one client are not all answered before that of another.
  @Test func clientsTakeTurns() async {
    await #expect(processExitsWith: .success) {
      try await inspecting(allowsControl: true) { path in
        let (started, mayGoOn) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let fires = Recorder<String>()
        let clock = VirtualClock()
        let timers = try ["gate", "greedy", "modest"].map { name in
          let timer = try Repeater(interval: .hours(1), clock: .virtual(clock)) { _, _ in
            fires.append(name)
            guard name == "gate" else { return }
            started.signal()
            mayGoOn.wait()
          }
          timer.start()
          TimerInspector.label(name, timer)
          return timer
        }
        let (greedy, modest) = (try InspectorClient(path), try InspectorClient(path))
        let page = try modest.page()
        let fire = { (name: String) -> [UInt8] in
          let index = page.labels.firstIndex(of: name).map { page.numbers[$0] }
          return Array("control\t\(index ?? "")\tfire\n".utf8)
        }
        // The inspector's queue waits in the handler while all requests arrive.
        #expect(greedy.send(fire("gate")))
        started.wait()
        #expect(greedy.send(Array((0..<50).map { _ in fire("greedy") }.joined())))
        #expect(modest.send(fire("modest")))
        mayGoOn.signal()
        for _ in 0..<51 { #expect(greedy.reply() == ["ok"]) }
        #expect(modest.reply() == ["ok"])
        let position = try #require(fires.all.firstIndex(of: "modest"))
        #expect(position < 10, "\(fires.all)")
        withExtendedLifetime(timers) {}
      }
    }
  }

  /// A container can share the folder of another one, where the number of its process is that of another process.
  @Test func theSocketOfALivingProcessIsNotReplaced() async {
    await #expect(processExitsWith: .success) {
      try await withFolder { folder in
        mkdir(folder, 0o700)
        let path = "\(folder)/\(getpid()).sock"
        let other = try InspectorServer("other", false, in: folder, idleLimit: .seconds(60))
        let error = #expect(throws: InspectorError.self) {
          try TimerInspector.start(name: nil, allowsControl: false, in: folder)
        }
        #expect(error?.description == "\(path): in use by a process of another container")
        other.stop()
        try TimerInspector.start(name: nil, allowsControl: false, in: folder)
        #expect(try InspectorClient(path).ask("hello") != nil)
        TimerInspector.stop()
      }
    }
  }

  /// Its connection ends, and no other client waits for it.
  @Test func aClientThatReadsNothingIsDisconnected() async {
    await #expect(processExitsWith: .success) {
      try await inspecting { path in
        let timers = try (0..<200).map { index in
          let timer = try Repeater.every(.hours(1)) { _, _ in }
          TimerInspector.label(String(repeating: "\(index % 10)", count: 200), timer)
          return timer
        }
        let (silent, other) = (try InspectorClient(path), try InspectorClient(path))
        while silent.send(Array("page\t0\t200\tname\t0\t\n".utf8)) {
          #expect(other.ask("hello")?.count == 1)
        }
        #expect(silent.isClosed())
        #expect(try other.page().timers.count == timers.count)
      }
    }
  }

  /// A client that leaves before its reply causes no signal.
  @Test func clientsThatLeaveDoNotEndTheProcess() async {
    await #expect(processExitsWith: .success) {
      try await inspecting { path in
        for _ in 0..<200 {
          try InspectorClient(path).send(Array("page\t0\t200\tname\t0\t\nhello\nhello\n".utf8))
        }
        var reply: [String]?
        while reply == nil { reply = try InspectorClient(path).ask("hello") }
      }
    }
  }

  @Test func onlyAPrivateFolderIsUsed() async {
    await #expect(processExitsWith: .success) {
      func start(in folder: String) throws(InspectorError) {
        try TimerInspector.start(name: nil, allowsControl: false, in: folder)
      }
      func mode(_ path: String) -> mode_t {
        var attributes = stat()
        return lstat(path, &attributes) == 0 ? attributes.st_mode & 0o777 : 0
      }
      try await withFolder { folder in
        for wrong: mode_t in [0o755, 0o701, 0o710, 0o770] {
          mkdir(folder, 0o700)
          chmod(folder, wrong)
          #expect(throws: InspectorError.self) { try start(in: folder) }
          #expect(mode(folder) == wrong)
        }
        chmod(folder, 0o700)
        let link = "\(folder)/link"
        symlink(folder, link)
        #expect(throws: InspectorError.self) { try start(in: link) }
        #expect(throws: InspectorError.self) { try start(in: "\(folder)/none/none") }
        let long = "\(folder)/\(String(repeating: "x", count: 100))"
        #expect(throws: InspectorError.self) { try start(in: long) }
        close(creat("\(folder)/file", 0o700))
        #expect(throws: InspectorError.self) { try start(in: "\(folder)/file") }

        // The socket of a process that had the same number is replaced.
        let path = "\(folder)/\(getpid()).sock"
        close(creat(path, 0o700))
        try start(in: folder)
        #expect(mode(path) == 0o600)
        try start(in: "/nonexistent")
        let client = try InspectorClient(path)
        #expect(client.ask("hello")?.count == 1)
        TimerInspector.stop()
        TimerInspector.stop()
        #expect(mode(path) == 0 && client.isClosed())
        try start(in: folder)
        #expect(try InspectorClient(path).ask("hello")?.count == 1)
        TimerInspector.stop()
      }
    }
  }

  @Test func theFolderIsThatOfTheEnvironment() async {
    await #expect(processExitsWith: .success) {
      try await withFolder { folder in
        mkdir(folder, 0o700)
        setenv("XDG_RUNTIME_DIR", folder, 1)
        try TimerInspector.start()
        let client = try InspectorClient("\(folder)/timerkit/\(getpid()).sock")
        #expect(client.ask("hello")?.count == 1)
        TimerInspector.stop()
      }
    }
  }
}
