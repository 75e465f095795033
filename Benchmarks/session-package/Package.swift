// swift-tools-version:6.2
import PackageDescription

// A separate package, so that users of the library do not have to fetch the libraries that it is compared with.

let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")

let package = Package(
    name: "session-benchmark",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "apitest", path: "../.."),
        .package(url: "https://github.com/swift-server/async-http-client", from: "1.37.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        .target(name: "LoadSupport", swiftSettings: settings),
        .executableTarget(
            name: "session-load",
            dependencies: ["LoadSupport", .product(name: "HTTPSession", package: "apitest"), nioCore, nioPosix],
            swiftSettings: settings),
        .executableTarget(
            name: "ahc-load",
            dependencies: [
                "LoadSupport", .product(name: "AsyncHTTPClient", package: "async-http-client"), nioCore, nioPosix,
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
            ],
            swiftSettings: settings),
    ]
)
