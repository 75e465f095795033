import Basics
import CEL
import Diagnostics
import FileSystem
import JSONPath
import RegularExpressions
import SuiteModel
import YAML

/// What the readers of one file share: the problems found so far, and what was compiled before.
final class LoadContext {
    /// The options of the load.
    let options: LoaderOptions
    /// The folder, absolute, against which the file's relative paths resolve.
    let folder: String
    /// The problems found so far.
    var diagnostics = DiagnosticBag()
    /// The names that the expressions of the suite being read use, in order.
    var uses: [NameUse] = []
    /// The first relative URL of the suite being read, which needs a base.
    var relativeURL: (text: String, range: SourceRange)?
    /// What the expressions being read may see.
    var phase = NameUse.Phase.request
    /// Whether the request being read opens a WebSocket.
    var opensWebSocket = false
    /// What the schemas of the suite being read have in common.
    var schemaSettings = SchemaSettings()
    /// The contract of the suite being read.
    var contract: SuiteContract?
    /// Whether neither the suite being read nor the command line names a contract.
    var lacksContract = false
    /// The names under `secrets` of the suite being read, with their places.
    var secretNames: [(name: String, range: SourceRange)] = []
    /// The schemas of the load.
    let schemas: SchemaLibrary
    /// The fragments of the load.
    var fragments: FragmentLibrary?
    /// The fragments that calls in the suite or file being read can name; nil when there are none.
    var fragmentSource: FragmentSource?

    /// After so many problems of a file, what was probably meant is not looked for any more.
    private static let maximumGuesses = 100

    private var lastStatusList: [ClosedRange<Int>] = []
    private var expressions: [String: CompiledExpression] = [:]
    private var paths: [String: JSONPath] = [:]
    private var patterns: [String: RegularExpression] = [:]
    /// The namespaces of the suite being read, by prefix.
    var namespaces: [String: String] = [:]
    /// The XPaths of the suite being read, by their text.
    var xpaths: [String: XPathQuery] = [:]
    /// Whether the missing of libxml2 was reported.
    var hasReportedMissingLibrary = false
    private var checkedFiles: Set<String> = []
    /// The resolved ``LoaderOptions/fileRoot``.
    private lazy var root = File.realPath(options.fileRoot) ?? options.fileRoot

    /// Creates a context for one file, with the schemas of the load that it belongs to.
    init(options: LoaderOptions, folder: String, schemas: SchemaLibrary) {
        self.options = options
        self.folder = folder
        self.schemas = schemas
    }

    /// Adds a problem.
    func report(
        _ id: String, _ message: String, _ range: SourceRange?, label: String = "",
        related: [Diagnostic.Related] = [], suggestion: String? = nil, severity: Severity = .error
    ) {
        diagnostics.add(
            Diagnostic(
                id: id, severity: severity, message: message, range: range, label: label, related: related,
                suggestion: suggestion))
    }

    /// The name that was probably meant, among names of which a file may have any number.
    ///
    /// A file with very many problems gets no more of them, as each takes time in proportion to the names.
    func nearest(to name: String, among names: @autoclosure () -> [String]) -> String? {
        diagnostics.count < Self.maximumGuesses ? Spelling.nearest(to: name, among: names()) : nil
    }

    /// Remembers the first relative URL of a suite.
    func noteRelativeURL(_ text: String, _ range: @autoclosure () -> SourceRange) {
        if relativeURL == nil { relativeURL = (text, range()) }
    }

    /// Forgets what belongs to the suite that was read before.
    func beginSuite() {
        uses.removeAll(keepingCapacity: true)
        relativeURL = nil
        secretNames = []
        namespaces = [:]
        xpaths = [:]
        fragmentSource = nil
        contract = nil
        lacksContract = false
    }

    /// The case that a word names; an unknown word is reported and gives nil.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(_ node: YAMLNode, _: Choice.Type) -> Choice? {
        guard let text = node.scalar?.text else { return nil }
        if let choice = Choice(rawValue: text) { return choice }
        let words = Choice.allCases.map(\.rawValue)
        report(
            "unknown-value", "unknown value \"\(text)\"", node.range,
            suggestion: Spelling.suggestion(for: text, among: words)
                ?? "write \(words.dropLast().joined(separator: ", ")) or \(words.last ?? "")")
        return nil
    }

    // MARK: Compiling

    /// Compiles an expression, or reports why that cannot be done.
    ///
    /// - Parameters:
    ///   - source: The expression.
    ///   - node: The scalar that holds it.
    ///   - offset: The number of Unicode scalars before it in the scalar's text.
    func expression(_ source: String, in node: YAMLNode, at offset: Int) -> CompiledExpression? {
        if let known = expressions[source] { return known }
        do {
            let expression = try CompiledExpression(source)
            expressions[source] = expression
            return expression
        } catch {
            let start = offset + error.offset
            report(
                "invalid-expression", error.message,
                ScalarLocator.range(in: node, from: start, to: start + max(1, error.length)))
            return nil
        }
    }

    /// The list of one range of statuses; that of the status before is used again, as most are the same.
    func statusList(_ range: ClosedRange<Int>) -> [ClosedRange<Int>] {
        if lastStatusList.first != range { lastStatusList = [range] }
        return lastStatusList
    }

    /// Compiles the JSONPath that a scalar is, or reports why that cannot be done.
    func jsonPath(_ node: YAMLNode) -> JSONPath? {
        guard let text = node.scalar?.text else { return nil }
        if let known = paths[text] { return known }
        do {
            let path = try JSONPath(text)
            paths[text] = path
            for warning in path.warnings {
                report(
                    "invalid-pattern", warning.message,
                    ScalarLocator.range(in: node, from: warning.offset, to: warning.offset + warning.length),
                    suggestion: "write [0-9] for \\d and [A-Za-z0-9_] for \\w",
                    severity: .warning)
            }
            return path
        } catch {
            if let expression = Self.firstExpression(in: text) {
                report(
                    "invalid-jsonpath", "an expression ${…} cannot stand in a JSONPath",
                    ScalarLocator.range(in: node, from: expression.lowerBound, to: expression.upperBound),
                    suggestion: "go down the value with an expression instead, as in body.items[i].name")
                return nil
            }
            let isWithoutRoot = !text.hasPrefix("$")
            let rooted = isWithoutRoot ? Self.rooted(text) : nil
            report(
                "invalid-jsonpath", isWithoutRoot ? "a JSONPath begins with \"$\"" : error.message,
                ScalarLocator.range(in: node, from: error.offset, to: error.offset + max(1, error.length)),
                suggestion: rooted.map { "write \"\($0)\"" })
            return nil
        }
    }

    /// Where in a text the first `${` stands, in Unicode scalars, or nil when there is none.
    private static func firstExpression(in text: String) -> Range<Int>? {
        var isBehindDollar = false
        for (offset, scalar) in text.unicodeScalars.enumerated() {
            if isBehindDollar, scalar == "{" { return offset - 1..<offset + 1 }
            isBehindDollar = scalar == "$"
        }
        return nil
    }

    /// The JSONPath that a text becomes with a root before it, or nil when that is none.
    static func rooted(_ text: String) -> String? {
        let path = text.hasPrefix(".") || text.hasPrefix("[") ? "$" + text : "$." + text
        return (try? JSONPath(path)) == nil ? nil : path
    }

    /// Compiles a regular expression, or reports why that cannot be done.
    func pattern(_ text: String, in node: YAMLNode) -> RegularExpression? {
        if let known = patterns[text] { return known }
        do {
            let pattern = try RegularExpression(text, dialect: .ecmaScript)
            patterns[text] = pattern
            return pattern
        } catch {
            report(
                "invalid-pattern", error.message,
                ScalarLocator.range(in: node, from: error.offset, to: error.offset + max(1, error.length)))
            return nil
        }
    }

    // MARK: Files

    /// Checks that a path of the suite names a file within the root, and gives its absolute path.
    func existingFile(_ path: String, _ range: @autoclosure () -> SourceRange) -> String {
        let absolute = Path.absolute(path, in: folder)
        if checkedFiles.contains(absolute) { return absolute }
        guard let real = File.realPath(absolute) else {
            if isInsideRoot(absolute, path, range()) {
                let names = File.names(inFolder: Path.parent(of: absolute)) ?? []
                let nearest = Spelling.nearest(to: Path.lastComponent(of: path), among: names)
                report(
                    "missing-file", "there is no file \"\(path)\"", range(),
                    suggestion: nearest.map { "did you mean \"\($0)\"?" })
            }
            return absolute
        }
        guard isInsideRoot(real, path, range()) else { return absolute }
        switch File.kind(of: real) {
        case .folder:
            report("missing-file", "\"\(path)\" is a folder, not a file", range())
            return absolute
        case .other:
            // A pipe would be waited for until somebody writes into it.
            report("unreadable-file", "\"\(path)\" is no regular file", range())
            return absolute
        case .file, nil: break
        }
        if let failure = File.failure(ofReading: real) {
            report("unreadable-file", "the file \"\(path)\" cannot be read: \(failure.reason)", range())
            return absolute
        }
        checkedFiles.insert(absolute)
        return absolute
    }

    /// Checks that a path of the suite names a folder within the root, and gives its absolute path.
    func existingFolder(_ path: String, _ range: SourceRange) -> String {
        let absolute = Path.absolute(path, in: folder)
        let real = File.realPath(absolute)
        guard isInsideRoot(real ?? absolute, path, range) else { return absolute }
        switch real.flatMap(File.kind) {
        case .folder: break
        case nil: report("missing-file", "there is no folder \"\(path)\"", range)
        case .file, .other: report("missing-file", "\"\(path)\" is no folder", range)
        }
        return absolute
    }

    /// The bytes of a file that the suite names, or nil when it cannot be read, which is reported.
    func bytes(ofFile path: String, _ range: SourceRange) -> [UInt8]? {
        let before = diagnostics.count
        let absolute = existingFile(path, range)
        guard diagnostics.count == before else { return nil }
        do {
            return try File.bytes(at: absolute)
        } catch {
            report("unreadable-file", "the file \"\(path)\" cannot be read: \(error.reason)", range)
            return nil
        }
    }

    /// The absolute path of a file that is written, checked to lie within the root.
    func writableFile(_ path: String, _ range: SourceRange) -> String {
        let absolute = Path.normalized(Path.absolute(path, in: folder))
        let parent = Path.parent(of: absolute)
        guard let real = File.realPath(parent) else {
            if isInsideRoot(absolute, path, range) {
                report("missing-file", "there is no folder for the file \"\(path)\"", range)
            }
            return absolute
        }
        guard isInsideRoot(real, path, range) else { return absolute }
        // What is written follows a link that is there already.
        if let target = File.realPath(absolute) {
            guard isInsideRoot(target, path, range) else { return absolute }
            if File.kind(of: target) != .file {
                report("unreadable-file", "\"\(path)\" is no regular file", range)
            }
        } else if File.isLink(absolute) {
            report("missing-file", "\"\(path)\" is a symbolic link to nothing", range)
        }
        return absolute
    }

    /// Checks that the folder of a suite's snapshots lies within the root.
    func checkSnapshotFolder(of suite: Suite, _ range: SourceRange) {
        _ = isInsideRoot(File.realPath(suite.folder) ?? suite.folder, suite.path, range)
    }

    private func isInsideRoot(_ absolute: String, _ path: String, _ range: @autoclosure () -> SourceRange) -> Bool {
        let normalized = Path.normalized(absolute)
        if Path.isInside(normalized, root) { return true }
        if Path.isInside(normalized, options.fileRoot) { return true }
        report(
            "file-outside-root", "\"\(path)\" lies outside of the project folder", range(),
            suggestion: "move the file, or choose a wider folder with --file-root")
        return false
    }
}
