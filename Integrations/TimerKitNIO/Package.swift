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
  name: "TimerKitNIO",
  platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .watchOS(.v11), .visionOS(.v2)],
  products: [.library(name: "TimerKitNIO", targets: ["TimerKitNIO"])],
  dependencies: [
    .package(name: "carillon", path: "../..", traits: []),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .target(
      name: "TimerKitNIO",
      dependencies: [
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "TimerKit", package: "carillon"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "TimerKitNIOTests",
      dependencies: [
        "TimerKitNIO",
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOEmbedded", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "TimerKit", package: "carillon"),
      ],
      swiftSettings: strict),
  ]
)
