// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "InspectedServer",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "carillon", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "InspectedServer",
      dependencies: [
        .product(name: "TimerKit", package: "carillon"),
        .product(name: "TimerKitInspector", package: "carillon"),
      ])
  ]
)
