import Foundation
import Testing

/// Packages that depend on TimerKit, from a repository with a tag.
struct PackageClientTests {
  /// Makes a repository of the library, and one of another package that uses it.
  private static let setup = """
    set -e; cd "$1"
    export HOME="$1" GIT_CONFIG_NOSYSTEM=1
    commit() { git init -q .; git add -A; git -c user.name=t -c user.email=t@t commit -qm 1; git tag 1.0.0; git tag 2.0.0; }
    mkdir -p carillon/Sources; cp "$2/Package.swift" carillon
    cp -r "$2/Sources/TimerKit"* "$2/Sources/UnixSockets" "$2/Sources/CContinuousTimer" carillon/Sources
    (cd carillon; commit)
    mkdir -p other/Sources/Other; echo 'import TimerKit' >other/Sources/Other/Other.swift
    printf '%s' "$3" >other/Package.swift; (cd other; commit)
    mkdir -p client/Sources/App; echo 'import TimerKit' >client/Sources/App/main.swift
    printf '%s' "$4" >client/Package.swift; cd client; shift 4
    swift package "$@" resolve >log 2>&1 || { cat log; exit 1; }
    swift package "$@" show-dependencies >log 2>&1 || { cat log; exit 1; }
    grep identity Package.resolved
    """

  private static func manifest(_ name: String, _ dependencies: [String], in folder: String) throws
    -> String
  {
    let lines = try dependencies.map { dependency in
      guard dependency == "carillon" else {
        return ".package(url: \"file://\(folder)/\(dependency)\", from: \"1.0.0\")"
      }
      // The line of the documentation, with the address of the repository.
      let page = try String(
        contentsOf: repository.appendingPathComponent("docs/timerkit.md"), encoding: .utf8)
      let line = try #require(page.firstMatch(of: /\.package\(url: "URL".*\)/)).output
      return line.replacingOccurrences(of: "URL", with: "file://\(folder)/carillon")
    }
    return """
      // swift-tools-version: 6.0
      import PackageDescription
      let package = Package(
        name: "\(name)", platforms: [.macOS(.v15)],
        products: [.library(name: "\(name)", targets: ["\(name)"])],
        dependencies: [\(lines.joined(separator: ", "))],
        targets: [
          .target(
            name: "\(name)", dependencies: [.product(name: "TimerKit", package: "carillon")])
        ])
      """
  }

  /// The time for a few manifests to be compiled beside all other tests.
  private static let limit = Duration.seconds(300)

  /// A package that depends on TimerKit resolves no other one, also if another of its dependencies uses it, too, and with
  /// a folder of its own for the build.
  @Test(
    .serialized,
    arguments: [(["carillon", "other"], []), (["carillon"], ["--scratch-path", "scratch"])])
  func aClientResolvesNothingElse(_ dependencies: [String], _ options: [String]) async throws {
    let folder = try TemporaryFolder()
    defer { folder.remove() }
    let path = folder.path("clients")
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let client = try Self.manifest("App", dependencies, in: path)
      .replacingOccurrences(of: ".target(\n", with: ".executableTarget(\n")
      .replacingOccurrences(
        of: "products: [.library(name: \"App\", targets: [\"App\"])],\n", with: "")
    let manifests = [try Self.manifest("Other", ["carillon"], in: path), client]
    let child = try ChildProcess(
      ["sh", "-c", Self.setup, "sh", path, repository.path] + manifests + options,
      environment: ProcessInfo.processInfo.environment,
      streams: .init(output: folder.path("output"), error: folder.path("error")))
    defer { child.end() }
    let ending = try await child.ending(within: Self.limit)
    let output = try folder.text(of: "output")
    let error = try folder.text(of: "error")
    #expect(ending == .exited(0), "\(output)\(error)")
    let resolved = output.matches(of: /"identity" : "(?<name>[^"]+)"/).map(\.name)
    #expect(resolved.sorted() == dependencies.map { Substring($0) }.sorted())
  }
}
