// swift-tools-version:6.2
import PackageDescription

/// The settings of every Swift target. The language mode is 6, and imports are internal by default.
let settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let nioCore: Target.Dependency = .product(name: "NIOCore", package: "swift-nio")
let nioPosix: Target.Dependency = .product(name: "NIOPosix", package: "swift-nio")
let nioSSL: Target.Dependency = .product(name: "NIOSSL", package: "swift-nio-ssl")
let nioHTTP1: Target.Dependency = .product(name: "NIOHTTP1", package: "swift-nio")
let nioLocks: Target.Dependency = .product(name: "NIOConcurrencyHelpers", package: "swift-nio")
let nioHTTP2: Target.Dependency = .product(name: "NIOHTTP2", package: "swift-nio-http2")
let nioHPACK: Target.Dependency = .product(name: "NIOHPACK", package: "swift-nio-http2")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")

/// The modules that every other module may import.
let groundFloor = ["Basics", "FileSystem"]

/// Returns a library target under `Sources/`, which can import the modules of the ground floor.
func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: groundFloor.map { .byName(name: $0) } + dependencies, swiftSettings: settings)
}

/// Returns the test target under `Tests/` for a module.
func tests(_ name: String, _ dependencies: [Target.Dependency] = [], exclude: [String] = []) -> Target {
    let modules = [name] + groundFloor.filter { $0 != name }
    return .testTarget(
        name: name + "Tests", dependencies: modules.map { .byName(name: $0) } + dependencies, exclude: exclude,
        swiftSettings: settings)
}

let package = Package(
    name: "apitest",
    platforms: [.macOS(.v15)],
    products: [
        .executable(name: "apitest", targets: ["apitest"]),
        // Its API contains types of JSON and XML, so its users import these modules too.
        .library(name: "HTTPSession", targets: ["HTTPSession", "JSON", "XML"]),
        .library(name: "APITestKit", targets: ["APITestKit"]),
        // For test targets: runs suites as the arguments of Swift Testing tests.
        .library(name: "APITestKitTesting", targets: ["APITestKitTesting"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
        .package(url: "https://github.com/apple/swift-nio-http2", from: "1.46.0"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        // The plugin that builds the documentation. No target depends on it.
        .package(url: "https://github.com/swiftlang/swift-docc-plugin", from: "1.4.0"),
    ],
    targets: [
        .executableTarget(
            name: "apitest",
            dependencies: [
                "Basics", "CAssets", "FileSystem", "APITestKit", "CEL", "ContractTools", "Diagnostics", "Expectations",
                "Explanations", "HTTPSession", "JSON", "JSONSchema", "MockServer", "OpenAPI", "Output",
                "ProjectConfiguration", "Recorder",
                "Redaction",
                "RegularExpressions", "Reports", "RunModel", "RunRecord", "Runner", "SuiteFormat", "SuiteImport",
                "SuiteLint", "SuiteLoader",
                "SuiteModel", "YAML", nioCore, nioPosix,
            ], swiftSettings: settings),
        module(
            "APITestKit",
            [
                "CEL", "Diagnostics", "JSON", "MockServer", "Output", "Reports", "RunModel", "Runner", "SuiteLoader",
                "SuiteModel", nioCore, nioPosix,
            ]),
        module(
            "APITestKitTesting", ["APITestKit", "Diagnostics", "JSON", "Reports", "RunModel", "Runner", "SuiteModel"]),
        module("ProjectConfiguration", ["Diagnostics", "JSON", "YAML"]),
        module(
            "ContractTools",
            ["CAssets", "OpenAPI", "Output", "RegularExpressions", "RunModel", "YAML", "Diagnostics", "JSON"]),
        module("Explanations", ["CExplanations", "CAssets", "OpenAPI", "Output", "YAML", "Diagnostics", "JSON"]),
        module(
            "Reports",
            [
                "CAssets", "Histogram", "RunRecord", "Redaction", "Output", "RunModel", "ExchangeFormats",
                "Diagnostics",
                "Digests", "JSON",
            ]),
        module("RunRecord", ["Histogram", "Output", "RunModel", "Diagnostics", "JSON"]),
        module("Redaction", ["RunModel", "Diagnostics", "JSON"]),
        module(
            "Runner",
            [
                "HTTPSession", "Histogram", "Expectations", "SuiteModel", "RunModel", "OpenAPI", "CEL", "Diagnostics",
                "Digests", "JSON", "Output", "RegularExpressions", "XML", "YAML", nioCore, nioPosix,
            ]),
        module(
            "Expectations",
            [
                "SuiteModel", "RunModel", "JSONPath", "JSONSchema", "OpenAPI", "CEL", "Diagnostics", "Digests", "JSON",
                "RegularExpressions", "XML",
            ]),
        module(
            "Recorder",
            [
                "HTTPSession", "MockServer", "OpenAPI", "SuiteImport",
                .product(name: "HTTPTypes", package: "swift-http-types"), nioCore,
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ]),
        module(
            "SuiteImport",
            [
                "SuiteFormat", "SuiteLint", "SuiteLoader", "SuiteModel", "Expectations", "CEL", "YAML", "Diagnostics",
                "Digests", "JSON", "JSONPath", "JSONSchema", "RegularExpressions",
            ]),
        module(
            "SuiteLint",
            ["SuiteLoader", "SuiteModel", "RunModel", "CEL", "Diagnostics", "JSON", "RegularExpressions", "YAML"]),
        module("SuiteFormat", ["SuiteLoader", "YAML", "YAMLFormat", "Diagnostics"]),
        module(
            "SuiteLoader",
            [
                "YAML", "SuiteModel", "RunModel", "CEL", "JSONPath", "JSONSchema", "OpenAPI", "RegularExpressions",
                "Diagnostics", "JSON", "XML",
            ]),
        module(
            "SuiteModel",
            [
                "RunModel", "Diagnostics", "JSON", "CEL", "JSONPath", "JSONSchema", "OpenAPI", "RegularExpressions",
                "XML",
            ]),
        module("RunModel", ["Histogram", "Diagnostics", "JSON"]),
        module("Histogram", ["CZlib"]),
        module(
            "MockServer",
            [
                "SuiteModel", "RunModel", "Expectations", "OpenAPI", "CEL", "Diagnostics", "JSON", "JSONPath",
                .product(name: "HTTPTypes", package: "swift-http-types"), nioCore, nioPosix, nioHTTP1,
            ]),
        module(
            "HTTPSession",
            [
                "ExchangeFormats", "CContentCodings", "CTLSKeys", "CZlib", "Digests", "JSON", "XML", nioCore, nioPosix,
                nioLocks, nioSSL, logging,
                .product(name: "NIOTLS", package: "swift-nio"), nioHTTP1,
                .product(name: "NIOWebSocket", package: "swift-nio"), nioHTTP2, nioHPACK,
            ]),
        module("ExchangeFormats"),
        module("Output", ["Diagnostics", "JSON"]),
        module("CEL", ["CAssets", "CSignatures", "Digests", "JSON", "JSONPath", "RegularExpressions"]),
        module("JSONPath", ["JSON", "RegularExpressions"]),
        module("JSONSchema", ["CAssets", "JSON", "RegularExpressions"]),
        module("OpenAPI", ["JSONSchema", "YAML", "Diagnostics", "JSON", "RegularExpressions"]),
        module("RegularExpressions", ["CAssets"]),
        module("YAML", ["CLibYAML", "Diagnostics", "JSON"]),
        module("YAMLFormat", ["CLibYAML", "JSON"]),
        module("JSON"),
        module("Diagnostics"),
        // Files that clang embeds into the program with #embed, at no cost in build time and start-up time.
        .target(name: "CAssets", exclude: ["fake", "html", "metaschemas", "report", "unicode"]),
        .target(name: "CExplanations", dependencies: ["CAssets"], exclude: ["changes"]),
        module("Digests", ["CDigests"]),
        .target(name: "FileSystem", dependencies: ["Basics"], swiftSettings: settings),
        .target(name: "Basics", swiftSettings: settings),
        // SHA-256 with the instructions of the processor for it.
        .target(name: "CDigests"),
        .systemLibrary(name: "CLibYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        module("XML", ["CLibXML2"]),
        // libxml2 is loaded at run time, so neither its headers nor linking it is necessary.
        .target(name: "CLibXML2", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // libbrotlidec and libzstd are loaded at run time, in the same way.
        .target(name: "CContentCodings", linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        // Reads keys that NIOSSL cannot read, with the BoringSSL that NIOSSL contains.
        .target(name: "CTLSKeys"),
        // Signatures of JSON Web Tokens, with the same BoringSSL.
        .target(name: "CSignatures"),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        module("TestSupport", [nioCore, nioPosix, nioSSL, nioHTTP2, nioHPACK]),
        tests("Basics"),
        tests("FileSystem"),
        tests("Diagnostics"),
        tests("Digests", ["CDigests"]),
        tests("JSON"),
        // The XPath implementation of libxml2, which the tests compare with our own.
        .target(
            name: "XPathReference", path: "Tests/XPathReference",
            linkerSettings: [.linkedLibrary("dl", .when(platforms: [.linux]))]),
        tests("XML", ["CLibXML2", "XPathReference"]),
        tests("YAML", ["Diagnostics", "JSON"]),
        tests("YAMLFormat", ["YAML", "Diagnostics"]),
        tests("RegularExpressions"),
        tests("JSONPath", ["JSON"]),
        tests("JSONSchema", ["JSON"]),
        // Descriptions and files for tests of modules that read descriptions.
        .target(
            name: "OpenAPITestSupport", dependencies: ["OpenAPI", "Diagnostics", "YAML"],
            path: "Tests/OpenAPITestSupport", swiftSettings: settings),
        tests(
            "OpenAPI", ["OpenAPITestSupport", "JSONSchema", "YAML", "Diagnostics", "JSON"],
            exclude: ["Comparison/Pairs"]),
        tests(
            "ContractTools", ["OpenAPITestSupport", "OpenAPI", "RunModel", "YAML", "Diagnostics", "JSON"],
            exclude: ["Comparison/Expected"]),
        tests("Explanations", ["OpenAPITestSupport", "OpenAPI", "Output", "JSON"]),
        tests("CEL", ["CSignatures", "JSON"]),
        tests("RunModel"),
        tests("Histogram"),
        tests("SuiteModel"),
        tests("Output", ["JSON", "TestSupport"]),
        tests("Redaction", ["RunModel", "Diagnostics", "JSON"]),
        tests("RunRecord", ["Diagnostics", "JSON", "Output", "RunModel"]),
        tests("HTTPSession", ["TestSupport", "JSON", "XML", logging, nioCore, nioPosix, nioSSL, nioHTTP2, nioHPACK]),
        tests(
            "Expectations",
            [
                "SuiteModel", "RunModel", "CEL", "JSON", "JSONPath", "JSONSchema", "Diagnostics", "RegularExpressions",
                "XML",
            ]),
        // Suites for tests of modules that use them.
        .target(
            name: "SuiteTestSupport", dependencies: ["FileSystem", "Diagnostics", "SuiteLoader", "SuiteModel"],
            path: "Tests/SuiteTestSupport", swiftSettings: settings),
        tests("SuiteLint", ["SuiteTestSupport", "SuiteLoader", "Diagnostics"]),
        tests("SuiteFormat", ["SuiteTestSupport", "SuiteLoader", "SuiteModel", "Diagnostics"]),
        tests(
            "SuiteImport",
            ["SuiteTestSupport", "SuiteFormat", "SuiteLint", "SuiteLoader", "SuiteModel", "Diagnostics", "JSON"]),
        tests(
            "Recorder",
            ["HTTPSession", "SuiteImport", .product(name: "HTTPTypes", package: "swift-http-types")]),
        tests("ProjectConfiguration", ["SuiteTestSupport", "Diagnostics", "JSON"]),
        tests(
            "SuiteLoader",
            [
                "SuiteTestSupport", "SuiteModel", "RunModel", "CEL", "Diagnostics", "JSON", "JSONSchema", "OpenAPI",
                "XML", "YAML",
            ]),
        tests(
            "Reports",
            [
                "RunRecord", "Redaction", "Output", "RunModel", "ExchangeFormats", "Diagnostics", "Histogram", "JSON",
                "JSONSchema", "TestSupport", "YAML",
            ], exclude: ["Golden", "Schemas"]),
        tests(
            "Runner",
            [
                "CEL", "Digests", "Expectations", "Histogram", "HTTPSession", "SuiteModel", "RunModel", "Diagnostics",
                "JSON", "Output", "RegularExpressions", "SuiteTestSupport", "XML", nioCore, nioPosix,
            ]),
        .testTarget(
            name: "EndToEndTests",
            dependencies: [
                "apitest", "Basics", "Diagnostics", "Explanations", "HTTPSession", "Histogram", "JSON",
                "ProjectConfiguration", "Runner", "Reports", "RunRecord", "SuiteLoader", "SuiteTestSupport",
                "TestSupport", "YAML",
            ], exclude: ["Agents", "BadInput", "Contracts", "HTMLReport", "Scenarios", "Reference", "Schemas"],
            swiftSettings: settings),
        .testTarget(
            name: "APITestKitTests", dependencies: ["APITestKit", "APITestKitTesting"], exclude: ["Suites"],
            swiftSettings: settings),
        // Compiles the code in the documentation.
        .testTarget(name: "DocumentationTests", dependencies: ["HTTPSession"], swiftSettings: settings),
        tests("MockServer", ["SuiteModel", "RunModel", "SuiteLoader", "Diagnostics", "JSON", nioCore, nioPosix]),
        // The properties that Benchmarks/fuzz/run checks for any input. The tests check them for its initial inputs.
        .target(
            name: "FuzzProperties",
            dependencies: [
                "CEL", "ContractTools", "Diagnostics", "JSON", "JSONPath", "JSONSchema", "OpenAPI",
                "RegularExpressions", "SuiteFormat", "SuiteImport", "SuiteLoader", "YAML",
            ],
            path: "Benchmarks/fuzz/Properties", swiftSettings: settings),
        tests("FuzzProperties"),
    ])
// If APITEST_MODULE is set, the package contains only that module, its tests and their dependencies. This shortens checks
// that rebuild everything, such as that with the thread sanitizer.
if let module = Context.environment["APITEST_MODULE"] { keepOnly([module, module + "Tests"], in: package) }

// If APITEST_RELEASE is set, the program is linked for release: by lld, with packed relative relocations, which make it
// three megabytes smaller. This does not affect compilation.
if Context.environment["APITEST_RELEASE"] != nil {
    for target in package.targets where target.name == "apitest" {
        target.linkerSettings = [
            .unsafeFlags(["-use-ld=lld", "-Xlinker", "-z", "-Xlinker", "pack-relative-relocs"])
        ]
    }
}

// If APITEST_FUZZ is set, the package contains only the fuzz driver, built for libFuzzer and the address sanitizer.
if Context.environment["APITEST_FUZZ"] != nil {
    let sanitizers = ["-sanitize=fuzzer,address"]
    package.targets += [
        .systemLibrary(name: "CLibFuzzer", path: "Benchmarks/fuzz/CLibFuzzer"),
        .executableTarget(
            name: "fuzz-driver", dependencies: ["CLibFuzzer", "FuzzProperties"], path: "Benchmarks/fuzz/Driver",
            swiftSettings: settings, linkerSettings: [.unsafeFlags(sanitizers + ["-use-ld=lld"])]),
    ]
    keepOnly(["fuzz-driver"], in: package)
    for target in package.targets where target.type != .system {
        target.swiftSettings = (target.swiftSettings ?? []) + [.unsafeFlags(sanitizers)]
    }
}

/// Removes all targets except the named ones and their dependencies.
func keepOnly(_ names: [String], in package: Package) {
    var needed: Set<String> = []
    var next = names
    while let name = next.popLast() {
        guard needed.insert(name).inserted, let target = package.targets.first(where: { $0.name == name }) else {
            continue
        }
        for case .byNameItem(let dependency, _) in target.dependencies { next.append(dependency) }
    }
    package.targets.removeAll { !needed.contains($0.name) }
    package.products = []
}
