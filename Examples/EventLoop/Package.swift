// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "EventLoop",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "carillon", path: "../..", traits: [])],
  targets: [
    .executableTarget(
      name: "EventLoop", dependencies: [.product(name: "TimerKit", package: "carillon")])
  ]
)
