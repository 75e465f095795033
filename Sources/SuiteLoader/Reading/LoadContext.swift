import Basics
import CEL
import Diagnostics
import FileSystem
import JSON
import JSONPath
import RegularExpressions
import SuiteModel
import YAML

/// The shared state of the readers of one file: diagnostics, caches, and recorded names.
final class LoadContext {
    /// The options of the load.
    let options: LoaderOptions
    /// The absolute path of the directory that relative paths resolve against when the suite runs.
    let suiteDirectory: String
    /// The absolute path of the directory that relative paths resolve against: that of the file that is being read.
    var directory: String { files.directory }
    /// Whether a file in another directory than that of the suite is being read.
    private(set) var isElsewhere = false
    /// The schemas of the load.
    let schemas: SchemaLibrary
    /// The diagnostics so far.
    var diagnostics = DiagnosticBag()
    /// The shared settings of the current suite.
    private(set) var settings = SuiteSettings()
    /// The names that the expressions of the current suite use, in order.
    var uses: [NameUse] = []
    /// The templates of the current suite in the notation of other tools.
    var foreignTemplates: [ForeignTemplate] = []
    /// The settings files that the suites of the file extend, with the locations where they name them.
    var settingsFiles: [SourceFile: SourceRange] = [:]
    /// The first relative URL of the current suite or fragment, which requires a base URL.
    var relativeURL: (text: String, range: SourceRange)?

    /// Whether a settings file of the current suite cannot be used, so that names and settings may be missing.
    var lacksSettings = false
    /// The ids of problems that missing settings cause.
    private static let consequencesOfLackingSettings: Set<String> = [
        "missing-base-url", "undefined-variable", "unknown-fragment", "unknown-environment", "unknown-prefix",
        "unknown-secret", "unknown-schema", "missing-contract",
    ]

    /// The number of diagnostics of a file after which no spelling suggestions are computed.
    private static let maximumGuesses = 100

    private var compiled = CompiledTexts()
    private var files: ProjectFiles

    /// Creates a context for one file of a load.
    init(options: LoaderOptions, directory: String, schemas: SchemaLibrary) {
        self.options = options
        suiteDirectory = directory
        self.schemas = schemas
        files = ProjectFiles(root: options.fileRoot, directory: directory)
    }

    /// Starts a suite, a mock file, or a fragment file, and discards the state of the previous one.
    func begin(_ settings: SuiteSettings) {
        self.settings = settings
        uses.removeAll(keepingCapacity: true)
        foreignTemplates = []
        relativeURL = nil
        compiled.xpaths = [:]
    }

    /// Adds a diagnostic, unless it is a consequence of a settings file that cannot be used.
    func report(
        _ id: String, _ message: MessageText, _ range: SourceRange?, label: MessageText = "",
        related: [Diagnostic.Related] = [], suggestion: MessageText? = nil, severity: Severity = .error
    ) {
        if lacksSettings, Self.consequencesOfLackingSettings.contains(id) { return }
        diagnostics.add(
            Diagnostic(
                id: id, severity: severity, message: message, range: range, label: label, related: related,
                suggestion: suggestion))
    }

    /// Returns a diagnostic with the location where the suite extends the settings file that contains it.
    func locatedInSettings(_ diagnostic: Diagnostic) -> Diagnostic {
        guard let file = diagnostic.range?.file, let range = settingsFiles[file] else { return diagnostic }
        var diagnostic = diagnostic
        diagnostic.related.append(Diagnostic.Related(message: "a suite extends the file here", range: range))
        return diagnostic
    }

    /// Returns the most similar name, for sets of names that a file can make arbitrarily large.
    ///
    /// After many diagnostics, the result is always nil, because each lookup takes time proportional to the number of
    /// names.
    func nearest(to name: String, among names: @autoclosure () -> [String]) -> String? {
        diagnostics.count < Self.maximumGuesses ? Spelling.nearest(to: name, among: names()) : nil
    }

    /// Records the first relative URL of a suite.
    func noteRelativeURL(_ text: String, _ range: @autoclosure () -> SourceRange) {
        if relativeURL == nil { relativeURL = (text, range()) }
    }

    /// Calls a closure and returns its result with the names that expressions recorded, as a range of ``uses``.
    @inline(__always)
    func recordingUses<Reading>(_ read: () -> Reading) -> (Reading, Range<Int>) {
        let first = uses.count
        let reading = read()
        return (reading, first..<uses.count)
    }

    /// Sets the moment of the names that a closure records.
    func recordingUses<Reading>(_ moment: NameUse.Moment, _ read: () -> Reading) -> Reading {
        let (reading, recorded) = recordingUses(read)
        for index in recorded { uses[index].moment = moment }
        return reading
    }

    /// Returns the case that a scalar names; reports an error and returns nil if it is unknown.
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

    // MARK: Directories

    /// Calls a closure that reads a part of a file in another directory, such as a settings file.
    @discardableResult
    func reading<Reading>(in directory: String, _ read: () -> Reading) -> Reading {
        let previous = files.directory
        files.directory = directory
        isElsewhere = directory != suiteDirectory
        defer {
            files.directory = previous
            isElsewhere = previous != suiteDirectory
        }
        return read()
    }

    /// Returns a path of the file that is being read, relative to the directory of the suite.
    func rebased(_ path: String) -> String {
        if !isElsewhere || path.hasPrefix("/") { return path }
        return Path.relative(Path.normalized(Path.absolute(path, in: directory)), to: suiteDirectory)
    }

    /// Returns the template of a path, relative to the directory of the suite unless it starts with an expression.
    func rebased(_ path: Template) -> Template {
        if !isElsewhere { return path }
        switch path {
        case .constant(let text): return .constant(rebased(text))
        case .joined(var parts):
            guard case .text(let text)? = parts.first else { return path }
            // A part of a name must not be normalized away, so only the directory is added.
            if !text.hasPrefix("/") { parts[0] = .text(Path.relative(directory, to: suiteDirectory) + "/" + text) }
            return .joined(parts)
        case .expression: return path
        }
    }

    // MARK: Compilation

    /// Compiles an expression; reports an error and returns nil if it is invalid.
    ///
    /// - Parameters:
    ///   - source: The expression.
    ///   - node: The scalar that contains it.
    ///   - offset: The number of Unicode scalars before it in the scalar's text.
    func expression(_ source: String, in node: YAMLNode, at offset: Int) -> CompiledExpression? {
        let isRebased = isElsewhere && !FileCalls.calls(in: source).isEmpty
        if !isRebased, let known = compiled.expressions[source] { return known }
        do {
            let expression = try CompiledExpression(source)
            if isRebased { return try expression.rebased(rebased) }
            compiled.expressions[source] = expression
            return expression
        } catch {
            let start = offset + error.offset
            report(
                "invalid-expression", error.message,
                ScalarLocator.range(in: node, from: start, to: start + max(1, error.length)),
                suggestion: node.quotedWithComment.map { "YAML reads \"#\" as a comment here: quote it: \($0)" })
            return nil
        }
    }

    /// Returns an array of one range. The previous array is reused if it is equal, as most are.
    func statusList(_ range: ClosedRange<Int>) -> [ClosedRange<Int>] {
        if compiled.statusList.first != range { compiled.statusList = [range] }
        return compiled.statusList
    }

    /// Compiles the JSONPath in a scalar; reports an error and returns nil if it is invalid.
    ///
    /// - Parameter templates: The reader of the expressions in the path. A path with expressions is compiled when their
    ///   values are known.
    func jsonPath(_ node: YAMLNode, _ templates: TemplateReader) -> Templated<JSONPath>? {
        guard ExpressionScan.mayHoldExpression(node) else {
            return node.scalar.flatMap { jsonPath($0.text, in: node) }.map(Templated.constant)
        }
        let template = templates.template(node)
        if let text = template.constantText { return jsonPath(text, in: node).map(Templated.constant) }
        if case .joined(let parts) = template, case .text(let start)? = parts.first, !start.hasPrefix("$") {
            report("invalid-jsonpath", "a JSONPath must start with \"$\"", node.range)
            return nil
        }
        return Templated(template, range: node.range) { value throws(InvalidSetting) in
            let text = value.text
            do throws(JSONPathError) {
                return try JSONPath(text)
            } catch {
                let reason = text.hasPrefix("$") ? error.message : "it must start with \"$\""
                throw InvalidSetting("\(ValueDescription.quoted(text)) is not a valid JSONPath: \(reason)")
            }
        }
    }

    private func jsonPath(_ text: String, in node: YAMLNode) -> JSONPath? {
        if let known = compiled.paths[text] { return known }
        do {
            let path = try JSONPath(text)
            compiled.paths[text] = path
            for warning in path.warnings {
                report(
                    "invalid-pattern", warning.wording,
                    ScalarLocator.range(in: node, from: warning.offset, to: warning.offset + warning.length),
                    suggestion: "write [0-9] for \\d and [A-Za-z0-9_] for \\w",
                    severity: .warning)
            }
            return path
        } catch {
            let isWithoutRoot = !text.hasPrefix("$")
            let rooted = isWithoutRoot ? Self.rooted(text) : nil
            report(
                "invalid-jsonpath", isWithoutRoot ? "a JSONPath must start with \"$\"" : error.wording,
                ScalarLocator.range(in: node, from: error.offset, to: error.offset + max(1, error.length)),
                suggestion: rooted.map { "write \"\($0)\"" })
            return nil
        }
    }

    /// Returns a string as a JSONPath with a `$` prepended; nil if that is invalid, too.
    static func rooted(_ text: String) -> String? {
        let path = text.hasPrefix(".") || text.hasPrefix("[") ? "$" + text : "$." + text
        return (try? JSONPath(path)) == nil ? nil : path
    }

    /// Compiles a regular expression; reports an error and returns nil if it is invalid.
    func pattern(_ text: String, in node: YAMLNode) -> RegularExpression? {
        if let known = compiled.patterns[text] { return known }
        do {
            let pattern = try RegularExpression(text, dialect: .ecmaScript)
            compiled.patterns[text] = pattern
            return pattern
        } catch {
            report(
                "invalid-pattern", error.wording,
                ScalarLocator.range(in: node, from: error.offset, to: error.offset + max(1, error.length)))
            return nil
        }
    }

    /// Returns the compiled XPath for a string, which is cached for the suite.
    func xpath(_ text: String, compile: () -> XPathQuery?) -> XPathQuery? {
        if let known = compiled.xpaths[text] { return known }
        guard let query = compile() else { return nil }
        compiled.xpaths[text] = query
        return query
    }

    /// Reports once per file if XPath is not available.
    func reportMissingLibrary(_ node: YAMLNode) {
        guard !compiled.hasReportedMissingLibrary else { return }
        compiled.hasReportedMissingLibrary = true
        guard !options.canEvaluateXPath() else { return }
        report(
            "missing-library", "XPath requires libxml2, which is not installed", node.range,
            suggestion: "install libxml2, for example with \"apt-get install libxml2\"",
            severity: options.missingLibrarySeverity)
    }

    // MARK: Files

    /// Returns the absolute path of a file that the suite references, and reports an error if it is outside of the
    /// root.
    func existingFile(_ path: String, _ range: @autoclosure () -> SourceRange) -> String {
        let (absolute, problem) = files.existingFile(path)
        if let problem { report(problem, range()) }
        return absolute
    }

    /// Returns the absolute path of a directory that the suite references, and reports an error if it is outside of the
    /// root.
    func existingDirectory(_ path: String, _ range: SourceRange) -> String {
        let (absolute, problem) = files.existingDirectory(path)
        if let problem { report(problem, range) }
        return absolute
    }

    /// Returns the contents of a file that the suite references; reports an error and returns nil if it cannot be read.
    func bytes(ofFile path: String, _ range: SourceRange) -> [UInt8]? {
        let (absolute, problem) = files.existingFile(path)
        if let problem {
            report(problem, range)
            return nil
        }
        do {
            return try File.bytes(at: absolute)
        } catch {
            report("unreadable-file", "the file \"\(path)\" cannot be read: \(error.reason)", range)
            return nil
        }
    }

    /// Returns the absolute path of a file to write, and reports an error if it is outside of the root.
    func writableFile(_ path: String, _ range: SourceRange) -> String {
        let (absolute, problem) = files.writableFile(path)
        if let problem { report(problem, range) }
        return absolute
    }

    /// Reports an error if the directory of a suite's snapshots is outside of the root.
    func checkSnapshotDirectory(of suite: Suite, _ range: SourceRange) {
        let real = File.realPath(suite.directory) ?? suite.directory
        if let problem = files.problem(ofReaching: real, path: suite.path) { report(problem, range) }
    }

    private func report(_ problem: ProjectFiles.Problem, _ range: SourceRange) {
        report(problem.id, problem.message, range, suggestion: problem.suggestion)
    }
}

/// The settings that apply to a whole suite, mock file, or fragment file.
struct SuiteSettings {
    /// The settings of schemas.
    var schemas = SchemaSettings()
    /// The contract.
    var contract: SuiteContract?
    /// Whether neither the suite nor the command line names a contract.
    var lacksContract = false
    /// The XML namespaces, by prefix.
    var namespaces: [String: String] = [:]
}

/// The cache of compiled texts.
private struct CompiledTexts {
    var expressions: [String: CompiledExpression] = [:]
    var paths: [String: JSONPath] = [:]
    var patterns: [String: RegularExpression] = [:]
    /// XPaths, which depend on the namespaces of the suite.
    var xpaths: [String: XPathQuery] = [:]
    /// The array for the last status, which is usually the same as the next one.
    var statusList: [ClosedRange<Int>] = []
    /// Whether the absence of libxml2 was reported.
    var hasReportedMissingLibrary = false
}

/// A compiled expression with the properties that loading needs, cached so that equal texts are compiled once.
struct CompiledExpression {
    /// The compiled expression.
    let expression: CELExpression
    /// The names that the expression uses.
    let references: [CELExpression.Reference]
    /// The calls of `file` with a constant path.
    let fileCalls: [FileCalls.Call]

    /// Creates an expression by compiling its source.
    init(_ source: String) throws(CELSyntaxError) {
        expression = try CELExpression(source)
        references = expression.freeIdentifiers
        fileCalls = FileCalls.calls(in: source)
    }

    private init(_ source: String, like original: Self) throws(CELSyntaxError) {
        expression = try CELExpression(source)
        references = original.references
        fileCalls = original.fileCalls
    }

    /// Returns the expression with other paths in its calls of `file`. The names keep their locations in the original.
    func rebased(_ path: (String) -> String) throws(CELSyntaxError) -> Self {
        try Self(FileCalls.replacingPaths(in: expression.source, path), like: self)
    }
}
