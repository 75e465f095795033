// swift-tools-version:6.2
import PackageDescription

// A package of its own: nothing that is shipped may import Foundation. Sources/JSON is the project's module.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "json-benchmark",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "JSON", swiftSettings: settings),
        .executableTarget(name: "json-load", dependencies: ["JSON"], swiftSettings: settings),
    ]
)
