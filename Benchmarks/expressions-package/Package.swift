// swift-tools-version:6.2
import PackageDescription

// A package of its own: it builds in a few minutes, the modules it measures being links to those of apitest.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "expressions-benchmark",
    platforms: [.macOS(.v15)],
    dependencies: [.package(url: "https://github.com/apple/swift-crypto", from: "4.5.2")],
    targets: [
        .target(name: "JSON", swiftSettings: settings),
        .target(name: "RegularExpressions", swiftSettings: settings),
        .target(name: "JSONPath", dependencies: ["JSON", "RegularExpressions"], swiftSettings: settings),
        .target(
            name: "CEL",
            dependencies: [
                "JSON", "JSONPath", "RegularExpressions", .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings),
        .executableTarget(
            name: "expressions-load", dependencies: ["JSON", "RegularExpressions", "JSONPath", "CEL"],
            swiftSettings: settings),
    ]
)
