// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of TimerKit resolve none of these packages.

let strict: [SwiftSetting] = [
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "TimerKitServiceLifecycle",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.library(name: "TimerKitServiceLifecycle", targets: ["TimerKitServiceLifecycle"])],
  dependencies: [
    .package(name: "carillon", path: "../..", traits: []),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.14.0"),
  ],
  targets: [
    .target(
      name: "TimerKitServiceLifecycle",
      dependencies: [
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "TimerKit", package: "carillon"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TimerKitServiceLifecycleTests",
      dependencies: [
        "TimerKitServiceLifecycle",
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "ServiceLifecycleTestKit", package: "swift-service-lifecycle"),
        .product(name: "TimerKit", package: "carillon"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict),
  ]
)
