// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of TimerKit do not build the systems it is compared with.

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "carillon", path: "../..", traits: []),
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-async-algorithms", exact: "1.1.4"),
    .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    .package(url: "https://github.com/HdrHistogram/hdrhistogram-swift", exact: "0.2.0"),
  ],
  targets: [
    .target(name: "CHeap"),
    .executableTarget(
      name: "Benchmarks",
      dependencies: [
        "CHeap",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "AsyncAlgorithms", package: "swift-async-algorithms"),
        .product(name: "Histogram", package: "hdrhistogram-swift"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "TimerKit", package: "carillon"),
        .product(name: "TimerKitInspector", package: "carillon"),
      ],
      swiftSettings: strict),
    // ReferenceTimer.swift in this target is a link to the file of TimerKit's own tests.
    .executableTarget(
      name: "Soak",
      dependencies: [
        "CHeap",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "TimerKit", package: "carillon"),
      ],
      swiftSettings: strict),
  ]
)
