import Basics
public import Diagnostics
import FileSystem
import SuiteLoader
import YAML
import YAMLFormat

/// Formats suites and mock files without changing their meaning or their comments.
public struct SuiteFormatter: Sendable {
    /// The file name suffixes of files to format in a directory.
    static let extensions = SuiteFinder.extensions + [".mock.yaml", ".mock.yml"]

    private let fileRoot: String
    private let workingDirectory: String

    /// Creates a formatter.
    ///
    /// - Parameters:
    ///   - fileRoot: The absolute path of the directory that symbolic links must not lead out of.
    ///   - workingDirectory: The absolute path of the directory that relative paths resolve against.
    public init(fileRoot: String, workingDirectory: String) {
        self.fileRoot = fileRoot
        self.workingDirectory = workingDirectory
    }

    /// Formats files without writing them.
    ///
    /// - Parameter paths: Paths of files, or of directories that contain suites and mock files.
    /// - Returns: The files without errors, and the diagnostics of the others.
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

    /// Formats a file.
    ///
    /// - Parameter file: The contents of the file, with its name for messages.
    /// - Returns: The formatted text, or nil if there is an error; and the diagnostics of the YAML parser.
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
                        range: range, suggestion: "the file was left unchanged")
                ]
            )
        }
    }

    /// Returns the path to write, with symbolic links resolved; nil if it is outside of the root.
    private func target(of found: SuiteFinder.Found, _ diagnostics: inout [Diagnostic]) -> String? {
        let real = File.realPath(found.absolutePath) ?? found.absolutePath
        let root = File.realPath(fileRoot) ?? fileRoot
        if Path.isInside(real, root) || real == Path.normalized(found.absolutePath) { return real }
        diagnostics.append(
            Diagnostic(
                id: "file-outside-root",
                message: "\"\(found.path)\" is a link to a file outside the project directory, \"\(real)\"",
                suggestion: "format that file directly, or set a wider directory with --file-root"))
        return nil
    }
}

/// The order of keys in suites, settings files and mock files, derived from the schemas that parse them.
enum SuiteLayout {
    /// The mappings whose entries are sorted in schema order; the entries of all others keep their order.
    private static let sortedMaps: Set<String> = [
        "suite", "settings", "fragment", "test", "step", "request", "mock", "route",
    ]

    /// The known keys of all mappings.
    static let order: KeyOrder = {
        var maps: [String: KeyOrder.Map] = [:]
        for description in SuiteSchema.maps + [SettingsSchema.description] + MockSchema.maps {
            maps[description.name] = KeyOrder.Map(
                keys: description.entries.map { ($0.name, layout(of: $0.kind)) },
                isSorted: sortedMaps.contains(description.name))
        }
        return KeyOrder(maps: maps)
    }()

    /// Returns the layout of a document: that of a suite, of a settings file, of a mock file, or none.
    static func layout(of root: YAMLNode) -> NodeLayout {
        if root["routes"] != nil || root["collections"] != nil { return .map(MockSchema.root) }
        if root["tests"] != nil || root["fragments"] != nil { return .map(SuiteSchema.root) }
        let isSettings =
            !root.members.isEmpty
            && root.members.allSatisfy { key, _ in
                guard let name = key.scalar?.text else { return false }
                return name.hasPrefix("x-") || settingsKeys.contains(name)
            }
        return isSettings ? .map(SettingsSchema.root) : .any
    }

    private static let settingsKeys = Set(SettingsSchema.description.entries.map(\.name))

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
