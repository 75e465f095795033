package import Diagnostics
import FileSystem

/// The files that sources name, such as the body of a request.
///
/// Only regular files in the working directory or in the directory of the source can be read, wherever links lead.
package struct ImportFiles: Sendable {
    /// The reason why a file is not available.
    package enum Failure: Error, Sendable, Hashable {
        /// The file does not exist or is not a regular file.
        case missing
        /// The file is outside of the directories that can be read.
        case outside
        /// The file cannot be read, is too large, or too many files are named.
        case unreadable(String)

        /// The description for messages, after the name of the file.
        package var reason: String {
            switch self {
            case .missing: "does not exist"
            case .outside: "is outside the working directory"
            case .unreadable(let reason): reason
            }
        }
    }

    private let options: ImportOptions
    private var count = 0

    init(_ options: ImportOptions) { self.options = options }

    /// Returns the contents of a file that a source names.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the directory of the source or the working directory.
    ///   - file: The source.
    package mutating func read(_ path: String, from file: SourceFile) throws(Failure) -> [UInt8] {
        let real = try self.real(path, from: file)
        count += 1
        guard count <= ImportLimits.files else { throw .unreadable("is one of too many files") }
        do {
            let bytes = try File.bytes(at: real)
            guard bytes.count <= ImportLimits.bytes else { throw Failure.unreadable("is too large") }
            return bytes
        } catch let failure as Failure {
            throw failure
        } catch {
            throw .unreadable("cannot be read")
        }
    }

    /// Returns the path with which a suite in the output directory names a file of a source.
    ///
    /// - Parameters:
    ///   - path: The path, relative to the directory of the source or the working directory.
    ///   - file: The source.
    package func suitePath(_ path: String, from file: SourceFile) throws(Failure) -> String {
        let real = try self.real(path, from: file)
        let root = File.realPath(options.workingDirectory) ?? options.workingDirectory
        // A suite cannot name files outside of its project directory.
        guard Path.isInside(real, root) else { throw .outside }
        let output = File.realPath(options.outputDirectory) ?? Path.normalized(options.outputDirectory)
        return Path.relative(real, to: output)
    }

    /// Returns the real path of an existing file in a directory that can be read.
    private func real(_ path: String, from file: SourceFile) throws(Failure) -> String {
        guard !path.isEmpty, !path.utf8.contains(0) else { throw .missing }
        let source = Path.parent(of: Path.absolute(file.name, in: options.workingDirectory))
        let roots = [source, options.workingDirectory].map { File.realPath($0) ?? $0 }
        var failure = Failure.missing
        for directory in [source, options.workingDirectory] {
            guard let real = File.realPath(Path.absolute(path, in: directory)) else { continue }
            guard roots.contains(where: { Path.isInside(real, $0) }) else {
                failure = .outside
                continue
            }
            if File.kind(of: real) == .file { return real }
        }
        throw failure
    }
}
