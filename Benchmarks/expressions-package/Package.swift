// swift-tools-version:6.2
import PackageDescription

// A separate package that builds in a few minutes. The modules that it measures are links to those of apitest.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "expressions-benchmark",
    platforms: [.macOS(.v15)],
    targets: [
        .target(name: "Basics", swiftSettings: settings),
        .target(name: "JSON", dependencies: ["Basics"], swiftSettings: settings),
        .target(name: "CAssets", exclude: ["report", "metaschemas", "unicode"]),
        .target(name: "RegularExpressions", dependencies: ["CAssets"], swiftSettings: settings),
        .target(name: "JSONPath", dependencies: ["JSON", "RegularExpressions"], swiftSettings: settings),
        .target(name: "CDigests"),
        .target(name: "Digests", dependencies: ["CDigests"], swiftSettings: settings),
        .target(
            name: "CEL", dependencies: ["Basics", "Digests", "JSON", "JSONPath", "RegularExpressions"],
            swiftSettings: settings),
        .executableTarget(
            name: "expressions-load", dependencies: ["JSON", "RegularExpressions", "JSONPath", "CEL"],
            swiftSettings: settings),
    ]
)
