public import Diagnostics
import FileSystem
import SuiteLoader
import YAML
import YAMLFormat

/// Formats suites and mock files; what they mean, and what they say in comments, stays.
public struct SuiteFormatter: Sendable {
    /// The endings by which files to format are recognized in a folder.
    static let extensions = SuiteFinder.extensions + [".mock.yaml", ".mock.yml"]

    private let fileRoot: String
    private let workingDirectory: String

    /// Creates a formatter.
    ///
    /// - Parameters:
    ///   - fileRoot: The folder, absolute, out of which no symbolic link is followed.
    ///   - workingDirectory: The folder, absolute, against which relative paths resolve.
    public init(fileRoot: String, workingDirectory: String) {
        self.fileRoot = fileRoot
        self.workingDirectory = workingDirectory
    }

    /// Formats the files that paths stand for; nothing is written.
    ///
    /// - Parameter paths: Files, and folders with suites and mock files below them.
    /// - Returns: The files without an error, and the problems of the others.
    public func format(paths: [String]) -> (files: [FormattedFile], diagnostics: [Diagnostic]) {
        var finder = SuiteFinder(workingDirectory: workingDirectory, extensions: Self.extensions)
        for path in paths { finder.add(path) }
        var files: [FormattedFile] = []
        var diagnostics = finder.diagnostics
        for found in finder.files {
            let bytes: [UInt8]
            do {
                bytes = try File.bytes(at: found.absolutePath)
            } catch {
                diagnostics.append(
                    Diagnostic(
                        id: "unreadable-file", message: "the file \"\(found.path)\" cannot be read: \(error.reason)"))
                continue
            }
            guard let target = target(of: found, &diagnostics) else { continue }
            let result = format(SourceFile(name: found.path, text: bytes))
            diagnostics += result.diagnostics
            if let text = result.text {
                files.append(FormattedFile(path: found.path, target: target, before: bytes, after: text))
            }
        }
        return (files, diagnostics)
    }

    /// Formats a text.
    ///
    /// - Parameter file: The text, with the name that the user is shown.
    /// - Returns: The formatted text, or nil when there is an error; and the problems of the text as YAML.
    public func format(_ file: SourceFile) -> (text: [UInt8]?, diagnostics: [Diagnostic]) {
        let (documents, diagnostics) = YAMLStream.parse(file)
        if diagnostics.contains(where: { $0.severity == .error }) { return (nil, diagnostics) }
        let formatter = YAMLFormatter(order: SuiteLayout.order)
        do throws(FormatFailure) {
            return (try formatter.format(file.text, layouts: documents.map(SuiteLayout.layout)), diagnostics)
        } catch {
            let range = error.offset.map { SourceRange(file: file, bytes: $0..<$0) }
            return (
                nil,
                diagnostics + [
                    Diagnostic(
                        id: "not-formatted", message: "\(file.name) cannot be formatted: \(error.reason)",
                        range: range, suggestion: "the file is left as it is")
                ]
            )
        }
    }

    /// The path that is written: the file itself where the path is a symbolic link; nil for one outside of the root.
    private func target(of found: SuiteFinder.Found, _ diagnostics: inout [Diagnostic]) -> String? {
        let real = File.realPath(found.absolutePath) ?? found.absolutePath
        let root = File.realPath(fileRoot) ?? fileRoot
        if Path.isInside(real, root) || real == Path.normalized(found.absolutePath) { return real }
        diagnostics.append(
            Diagnostic(
                id: "file-outside-root",
                message: "\"\(found.path)\" is a link to a file outside of the project folder, \"\(real)\"",
                suggestion: "format that file itself, or choose a wider folder with --file-root"))
        return nil
    }
}

/// The order of keys in suites and mock files, taken from the tables by which they are read.
enum SuiteLayout {
    /// The maps whose entries are put in the order of their table; in all others they stay as the author has them.
    private static let sortedMaps: Set<String> = ["suite", "fragment", "test", "step", "request", "mock", "route"]

    /// The known keys of all maps.
    static let order: KeyOrder = {
        var maps: [String: KeyOrder.Map] = [:]
        for description in SuiteSchema.maps + MockSchema.maps {
            maps[description.name] = KeyOrder.Map(
                keys: description.entries.map { ($0.name, layout(of: $0.kind)) },
                isSorted: sortedMaps.contains(description.name))
        }
        return KeyOrder(maps: maps)
    }()

    /// What the root of a document is: a suite, a mock file, or something else.
    static func layout(of root: YAMLNode) -> NodeLayout {
        if root["routes"] != nil || root["collections"] != nil { return .map(MockSchema.root) }
        if root["tests"] != nil || root["fragments"] != nil { return .map(SuiteSchema.root) }
        return .any
    }

    private static func layout(of kind: ValueKind) -> NodeLayout {
        switch kind {
        case .map(let name): .map(name)
        case .members(let kind): .members(layout(of: kind))
        case .list(let kind), .pair(let kind): .list(layout(of: kind))
        case .anyOf(let kinds): .choice(kinds.map(layout))
        default: .any
        }
    }
}
