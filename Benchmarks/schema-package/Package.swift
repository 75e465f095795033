// swift-tools-version:6.2
import PackageDescription

// A separate package without dependencies that builds in a minute. The modules that it measures are links to those of
// apitest.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "schema-benchmark",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "Basics", swiftSettings: settings),
        .target(name: "JSON", dependencies: ["Basics"], swiftSettings: settings),
        .target(name: "CAssets", exclude: ["report", "metaschemas", "unicode"]),
        .target(name: "RegularExpressions", dependencies: ["CAssets"], swiftSettings: settings),
        .target(
            name: "JSONSchema", dependencies: ["Basics", "CAssets", "JSON", "RegularExpressions"],
            swiftSettings: settings),
        .executableTarget(name: "schema-load", dependencies: ["JSON", "JSONSchema"], swiftSettings: settings),
    ]
)
