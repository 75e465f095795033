import Basics
import Diagnostics
import FileSystem
import YAML

/// A document whose settings apply to a suite: the suite's own, or that of a settings file.
struct SettingsLayer {
    /// The root of the document.
    let root: YAMLNode
    /// The absolute path of the directory that the document's relative paths resolve against.
    let directory: String
    /// Whether the document is that of the suite itself.
    var isOwn = false
}

/// The settings files of one load, which suites name under `extends`. Each file is parsed once.
final class SettingsFiles {
    /// The maximum number of files that extend each other.
    private static let maximumDepth = 64

    /// The parsed root of a file; nil if it is not a settings file, which is described by the problem.
    private struct Parsed {
        var root: YAMLNode?
        var diagnostics: [Diagnostic] = []
        var problem: (message: MessageText, suggestion: MessageText?)?
    }

    /// The real paths of all files that suites extend.
    var paths: Set<String> { Set(files.keys) }

    private let shownPath: ShownPath
    private var files: [String: Parsed] = [:]

    init(options: LoaderOptions) {
        shownPath = ShownPath(options: options)
    }

    /// Returns whether the documents of a file can be those of a settings file.
    static func mayBeSettings(_ documents: [YAMLNode]) -> Bool {
        guard documents.count == 1, let root = documents.first, root.kind == .mapping else { return false }
        return ["tests", "setup", "teardown", "fragments", "routes", "collections"].allSatisfy { root[$0] == nil }
    }

    /// Returns diagnostics without those of a settings file that several suites share, which are the same for each.
    static func withoutRepetitions(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
        var seen: Set<String> = []
        return diagnostics.filter { diagnostic in
            guard let range = diagnostic.range else { return true }
            // Files are compared by name, because each suite reads a mock file separately.
            let location = "\(range.file.name):\(range.start.line):\(range.start.column)"
            return seen.insert("\(location) \(diagnostic.id) \(diagnostic.message)").inserted
        }
    }

    /// Returns the layers of a suite in the order in which they apply: settings files first, the suite itself last.
    func layers(of root: YAMLNode, _ context: LoadContext) -> (layers: [SettingsLayer], paths: [String]) {
        var layers: [SettingsLayer] = []
        var paths: [String] = []
        context.lacksSettings = false
        add(root["extends"], to: &layers, &paths, open: [], context)
        layers.append(SettingsLayer(root: root, directory: context.suiteDirectory, isOwn: true))
        return (layers, paths)
    }

    /// Adds the files under `extends`, each after the files that it extends itself.
    ///
    /// - Parameter open: The real paths of the files that led here.
    private func add(
        _ node: YAMLNode?, to layers: inout [SettingsLayer], _ paths: inout [String], open: [String],
        _ context: LoadContext
    ) {
        // Values of the wrong type are reported when the mapping is read.
        guard let node, node.kind == .sequence || node.scalar?.isString == true else { return }
        for (path, node) in context.strings(node, what: "a path") where !path.isEmpty {
            let problems = context.diagnostics.count
            let absolute = context.existingFile(path, node.range)
            guard context.diagnostics.count == problems, let real = File.realPath(absolute) else {
                context.lacksSettings = true
                continue
            }
            if open.contains(real) || open.count >= Self.maximumDepth {
                context.report(
                    "settings-cycle",
                    open.contains(real)
                        ? "\"\(path)\" extends itself"
                        : "more than \(Self.maximumDepth) settings files extend each other", node.range)
                continue
            }
            // A file that is reached twice applies where it was reached first.
            if paths.contains(real) { continue }
            let parsed = files[real] ?? parse(real)
            files[real] = parsed
            context.diagnostics.add(contentsOf: parsed.diagnostics)
            if let file = parsed.diagnostics.first?.range?.file {
                context.settingsFiles[file] = context.settingsFiles[file] ?? node.range
            }
            if let problem = parsed.problem {
                context.report(
                    "settings-file", "\"\(path)\" \(problem.message)", node.range, suggestion: problem.suggestion)
            }
            guard let root = parsed.root else {
                context.lacksSettings = true
                continue
            }
            let directory = Path.parent(of: real)
            context.reading(in: directory) {
                add(root["extends"], to: &layers, &paths, open: open + [real], context)
            }
            paths.append(real)
            context.settingsFiles[root.file] = context.settingsFiles[root.file] ?? node.range
            layers.append(SettingsLayer(root: root, directory: directory))
        }
    }

    private func parse(_ path: String) -> Parsed {
        let bytes: [UInt8]
        do {
            bytes = try File.bytes(at: path)
        } catch {
            return Parsed(problem: ("cannot be read: \(error.reason)", nil))
        }
        let (documents, diagnostics) = YAMLStream.parse(SourceFile(name: shownPath.name(of: path), text: bytes))
        if diagnostics.contains(where: { $0.severity == .error }) { return Parsed(diagnostics: diagnostics) }
        var parsed = Parsed(diagnostics: diagnostics)
        guard let root = documents.first, !root.isNull else {
            parsed.problem = ("is empty", nil)
            return parsed
        }
        if documents.count > 1 {
            parsed.problem = ("has several documents, but a settings file must contain a single one", nil)
        } else if root.kind != .mapping {
            parsed.problem = ("is \(root.typeDescription), but a settings file is a mapping", nil)
        } else if root["tests"] != nil || root["setup"] != nil || root["teardown"] != nil {
            parsed.problem = (
                "is a suite, but \"extends\" names settings files",
                "move the settings that suites share to a separate file"
            )
        } else if root["fragments"] != nil, root["defaults"] == nil, root["baseURL"] == nil {
            parsed.problem = ("is a fragment file", "include it under \"use\"")
        } else if root["routes"] != nil || root["collections"] != nil {
            parsed.problem = ("is a mock file", "a suite names it in \"serve: { mock: … }\"")
        } else {
            parsed.root = root
        }
        return parsed
    }
}
