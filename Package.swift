// swift-tools-version: 6.2
import Foundation
import PackageDescription

/// Every Swift target of the package is built the same way: Swift 6 mode (the tools version's default), warnings
/// as errors, and the import rules that keep the layers apart (see ARCHITECTURE.md).
let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

/// True if this package is the one that is built, and not a dependency of another one. A package that depends on TimerKit
/// then resolves no other package: neither those of the program nor their versions concern it.
///
/// A dependency by path looks like a root. One that says `traits: []` leaves out the trait `Program`, without which nothing
/// uses the other packages, so that they are not resolved.
///
/// SwiftPM evaluates the manifest of a dependency in `/` while it resolves versions from git, and later in the folder
/// `checkouts` beside `workspace-state.json`. A clone in a folder of that name has no such file beside it.
let isRoot: Bool = {
  let folder = URL(fileURLWithPath: Context.packageDirectory)
  let parent = folder.deletingLastPathComponent()
  let state = parent.deletingLastPathComponent().appendingPathComponent("workspace-state.json")
  let isCheckout =
    parent.lastPathComponent == "checkouts" && FileManager.default.fileExists(atPath: state.path)
  return folder.path != "/" && !isCheckout
}()

/// The program `carillon`, and what it needs. It is enabled by default.
let program: Set<String> = ["Program"]

let package = Package(
  name: "carillon",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [
    .library(name: "TimerKit", targets: ["TimerKit"]),
    .library(name: "TimerKitFoundation", targets: ["TimerKitFoundation"]),
    .library(name: "TimerKitInspector", targets: ["TimerKitInspector"]),
  ],
  traits: [
    .trait(name: "Program", description: "the program carillon"),
    .default(enabledTraits: program),
  ],
  targets: [
    .target(name: "CContinuousTimer"),
    .target(
      name: "TimerKit",
      dependencies: [
        .target(
          name: "CContinuousTimer",
          condition: .when(platforms: [.macOS, .iOS, .tvOS, .watchOS, .visionOS]))
      ],
      swiftSettings: strict),
    .target(name: "TimerKitFoundation", dependencies: ["TimerKit"], swiftSettings: strict),
    .target(name: "UnixSockets", swiftSettings: strict),
    .target(
      name: "TimerKitInspector", dependencies: ["TimerKit", "UnixSockets"], swiftSettings: strict),
  ]
)

if isRoot {
  package.products.append(.executable(name: "carillon", targets: ["carillon"]))
  package.dependencies = [
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.2")),
    .package(url: "https://github.com/apple/swift-system", .upToNextMinor(from: "1.8.1")),
    .package(url: "https://github.com/LebJe/TOMLKit", .upToNextMinor(from: "0.6.0")),
  ]
  package.targets += [
    .target(name: "TerminalCore", swiftSettings: strict),
    .target(name: "TimerBoard", dependencies: ["TimerKit"], swiftSettings: strict),
    .target(
      name: "Dashboard", dependencies: ["TerminalCore", "TimerBoard", "TimerKit"],
      resources: [.embedInCode("Themes.txt")], swiftSettings: strict),
    .target(
      name: "Lab", dependencies: ["Dashboard", "TimerBoard", "TimerKit"],
      resources: [.embedInCode("Listings.txt"), .embedInCode("Scenes.md")], swiftSettings: strict),
    .target(
      name: "CNCurses",
      linkerSettings: [
        .linkedLibrary("ncursesw", .when(platforms: [.linux])),
        .linkedLibrary("tinfo", .when(platforms: [.linux])),
        .linkedLibrary("ncurses", .when(platforms: [.macOS])),
      ]),
    .target(
      name: "CursesTerminal", dependencies: ["CNCurses", "Platform", "TerminalCore"],
      swiftSettings: strict),
    .target(
      name: "Assets", path: "Assets", exclude: ["screenshots"],
      resources: [
        .embedInCode("config.toml"), .embedInCode("help.txt"),
        .embedInCode("manual.roff"),
      ], swiftSettings: strict),
    .target(name: "CProcess"),
    .target(
      name: "Platform",
      dependencies: [
        "UnixSockets",
        .product(
          name: "SystemPackage", package: "swift-system",
          condition: .when(platforms: [.linux], traits: program)),
      ],
      swiftSettings: strict),
    .target(
      name: "CarillonRuntime",
      dependencies: [
        "Assets", "CProcess", "CursesTerminal", "Dashboard", "Lab", "Platform", "TerminalCore",
        "TimerBoard", "TimerKit",
        .product(
          name: "ArgumentParser", package: "swift-argument-parser",
          condition: .when(traits: program)),
        .product(name: "TOMLKit", package: "TOMLKit", condition: .when(traits: program)),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "carillon", dependencies: ["CarillonRuntime"], swiftSettings: strict),

    .target(
      name: "Fuzzing", dependencies: ["Platform"], path: "Tests/Fuzzing",
      exclude: ["fuzz", "guided"], swiftSettings: strict),
    .testTarget(
      name: "TimerKitTests", dependencies: ["Fuzzing", "TimerKit", "TimerKitInspector"],
      swiftSettings: strict),
    .target(
      name: "TimerBoardFixtures", dependencies: ["Fuzzing", "TimerBoard", "TimerKit"],
      path: "Tests/TimerBoardFixtures", swiftSettings: strict),
    .testTarget(
      name: "TimerBoardTests",
      dependencies: ["Fuzzing", "Platform", "TimerBoard", "TimerBoardFixtures", "TimerKit"],
      swiftSettings: strict),
    .testTarget(
      name: "TerminalCoreTests", dependencies: ["Fuzzing", "TerminalCore"], swiftSettings: strict),
    .testTarget(
      name: "DashboardTests",
      dependencies: [
        "Dashboard", "Fuzzing", "Platform", "TerminalCore", "TimerBoard", "TimerBoardFixtures",
        "TimerKit",
      ],
      exclude: ["Snapshots"],
      swiftSettings: strict),
    .testTarget(
      name: "LabTests",
      dependencies: ["Dashboard", "Lab", "TerminalCore", "TimerBoard", "TimerKit"],
      exclude: ["Snapshots"],
      swiftSettings: strict),
    .testTarget(
      name: "CursesTerminalTests", dependencies: ["CursesTerminal", "Platform", "TerminalCore"],
      swiftSettings: strict),
    .testTarget(
      name: "CarillonTests",
      dependencies: [
        "Assets", "CarillonRuntime", "Dashboard", "Fuzzing", "Lab", "Platform", "TerminalCore",
        "TimerBoard", "TimerBoardFixtures", "TimerKit",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "EndToEndTests",
      dependencies: ["Fuzzing", "Platform", "TimerKit", "TimerKitInspector"],
      swiftSettings: strict),
  ]

  // `TEST_TARGETS=DashboardTests,LabTests swift build --build-tests` builds only these tests, in a fraction of the time.
  if let names = Context.environment["TEST_TARGETS"]?.split(separator: ",").map(String.init) {
    package.targets.removeAll { $0.type == .test && !names.contains($0.name) }
  }
}
