// swift-tools-version:6.2
import PackageDescription

// A separate package, because nothing that is shipped may import Foundation. Sources/Basics and Sources/JSON are the
// project's modules.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "json-benchmark",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "Basics", swiftSettings: settings),
        .target(name: "JSON", dependencies: ["Basics"], swiftSettings: settings),
        .executableTarget(name: "json-load", dependencies: ["JSON"], swiftSettings: settings),
    ]
)
