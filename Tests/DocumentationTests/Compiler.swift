import Foundation
import Glibc

/// The compiler, with the modules from this package's build.
struct Compiler {
    /// The directory of the build products.
    private static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

    /// Compiles the sources of a module, including the data race checks, and returns the compiler's errors.
    ///
    /// - Parameters:
    ///   - sources: The text of each file, by name.
    ///   - options: Additional options, such as upcoming features.
    static func errors(_ sources: [String: String], options: [String] = []) async throws -> [String] {
        let directory = FileManager.default.temporaryDirectory.appending(path: "snippets-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: directory) }
        var paths: [String] = []
        for (name, text) in sources {
            let file = directory.appending(path: name)
            try Data(text.utf8).write(to: file)
            paths.append(file.path)
        }
        let (status, output) = try await run(
            [
                "swiftc", "-emit-sil", "-o", "/dev/null", "-swift-version", "6", "-module-name", "Snippets",
                "-suppress-warnings",
            ]
                + ["-parse-as-library", "-wmo", "-I", products.appending(path: "Modules").path] + moduleMaps + options
                + paths.sorted())
        var seen: Set<Substring> = []
        let errors = output.split(separator: "\n").filter { $0.contains(": error: ") && seen.insert($0).inserted }
            .map(String.init)
        return status != 0 && errors.isEmpty ? [output] : errors
    }

    /// The options that name the C modules of the package and its dependencies.
    private static var moduleMaps: [String] {
        let files = FileManager.default
        var maps: [String] = []
        for name in (try? files.contentsOfDirectory(atPath: products.path)) ?? [] where name.hasSuffix(".build") {
            maps.append(products.appending(path: name + "/module.modulemap").path)
        }
        let checkouts = products.deletingLastPathComponent().deletingLastPathComponent().appending(path: "checkouts")
        for package in (try? files.contentsOfDirectory(atPath: checkouts.path)) ?? [] {
            let sources = checkouts.appending(path: package + "/Sources")
            for target in (try? files.contentsOfDirectory(atPath: sources.path)) ?? [] {
                maps.append(sources.appending(path: target + "/include/module.modulemap").path)
            }
        }
        maps.append(DocumentedCode.root.appending(path: "Sources/CZlib/module.modulemap").path)
        return maps.filter { files.fileExists(atPath: $0) }.sorted().flatMap { ["-Xcc", "-fmodule-map-file=\($0)"] }
    }

    /// Runs a program in `PATH` and returns its exit status and output.
    private static func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // Waits on a separate thread, so that other tests are not blocked.
        let output = await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                continuation.resume(returning: readToEnd(pipe.fileHandleForReading.fileDescriptor))
            }
        }
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }

    /// Reads a pipe to its end. Signals sent by other tests may interrupt the read.
    private static func readToEnd(_ descriptor: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &piece, piece.count)
            if count > 0 { bytes += piece[..<count] }
            if count == 0 || (count < 0 && errno != EINTR) { return bytes }
        }
    }
}
