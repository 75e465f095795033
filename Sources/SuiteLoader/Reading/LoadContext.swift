import Basics
import CEL
import Diagnostics
import FileSystem
import JSONPath
import RegularExpressions
import SuiteModel
import YAML

/// What the readers of one file share: where problems go, what was compiled before, and what is noted on the way.
final class LoadContext {
    /// The options of the load.
    let options: LoaderOptions
    /// The folder, absolute, against which the file's relative paths resolve.
    let folder: String
    /// The schemas of the load.
    let schemas: SchemaLibrary
    /// The problems found so far.
    var diagnostics = DiagnosticBag()
    /// What all parts of the suite being read have in common.
    private(set) var settings = SuiteSettings()
    /// The names that the expressions of the suite being read use, in order.
    var uses: [NameUse] = []
    /// The first relative URL of the suite or fragment being read, which needs a base.
    var relativeURL: (text: String, range: SourceRange)?

    /// After so many problems of a file, what was probably meant is not looked for any more.
    private static let maximumGuesses = 100

    private var compiled = CompiledTexts()
    private var files: ProjectFiles

    /// Creates a context for one file, with the schemas of the load that it belongs to.
    init(options: LoaderOptions, folder: String, schemas: SchemaLibrary) {
        self.options = options
        self.folder = folder
        self.schemas = schemas
        files = ProjectFiles(root: options.fileRoot, folder: folder)
    }

    /// Begins a suite, a mock file or a file of fragments, and forgets what belongs to the one before.
    func begin(_ settings: SuiteSettings) {
        self.settings = settings
        uses.removeAll(keepingCapacity: true)
        relativeURL = nil
        compiled.xpaths = [:]
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

    /// Reads something, and gives with it the names that its expressions use, as a range of ``uses``.
    @inline(__always)
    func recordingUses<Reading>(_ read: () -> Reading) -> (Reading, Range<Int>) {
        let first = uses.count
        let reading = read()
        return (reading, first..<uses.count)
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
        if let known = compiled.expressions[source] { return known }
        do {
            let expression = try CompiledExpression(source)
            compiled.expressions[source] = expression
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
        if compiled.statusList.first != range { compiled.statusList = [range] }
        return compiled.statusList
    }

    /// Compiles the JSONPath that a scalar is, or reports why that cannot be done.
    func jsonPath(_ node: YAMLNode) -> JSONPath? {
        guard let text = node.scalar?.text else { return nil }
        if let known = compiled.paths[text] { return known }
        do {
            let path = try JSONPath(text)
            compiled.paths[text] = path
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
        if let known = compiled.patterns[text] { return known }
        do {
            let pattern = try RegularExpression(text, dialect: .ecmaScript)
            compiled.patterns[text] = pattern
            return pattern
        } catch {
            report(
                "invalid-pattern", error.message,
                ScalarLocator.range(in: node, from: error.offset, to: error.offset + max(1, error.length)))
            return nil
        }
    }

    /// The XPath that a text is, compiled at its first use in a suite.
    func xpath(_ text: String, compile: () -> XPathQuery?) -> XPathQuery? {
        if let known = compiled.xpaths[text] { return known }
        guard let query = compile() else { return nil }
        compiled.xpaths[text] = query
        return query
    }

    /// Reports once for a file that XPath cannot be evaluated here.
    func reportMissingLibrary(_ node: YAMLNode) {
        guard !compiled.hasReportedMissingLibrary else { return }
        compiled.hasReportedMissingLibrary = true
        guard !options.canEvaluateXPath() else { return }
        report(
            "missing-library", "XPath needs the library libxml2, which is not installed", node.range,
            suggestion: "install the package libxml2, for example with \"apt-get install libxml2\"",
            severity: options.missingLibrarySeverity)
    }

    // MARK: Files

    /// Checks that a path of the suite names a file within the root, and gives its absolute path.
    func existingFile(_ path: String, _ range: @autoclosure () -> SourceRange) -> String {
        let (absolute, problem) = files.existingFile(path)
        if let problem { report(problem, range()) }
        return absolute
    }

    /// Checks that a path of the suite names a folder within the root, and gives its absolute path.
    func existingFolder(_ path: String, _ range: SourceRange) -> String {
        let (absolute, problem) = files.existingFolder(path)
        if let problem { report(problem, range) }
        return absolute
    }

    /// The bytes of a file that the suite names, or nil when it cannot be read, which is reported.
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

    /// The absolute path of a file that is written, checked to lie within the root.
    func writableFile(_ path: String, _ range: SourceRange) -> String {
        let (absolute, problem) = files.writableFile(path)
        if let problem { report(problem, range) }
        return absolute
    }

    /// Checks that the folder of a suite's snapshots lies within the root.
    func checkSnapshotFolder(of suite: Suite, _ range: SourceRange) {
        let real = File.realPath(suite.folder) ?? suite.folder
        if let problem = files.problem(ofReaching: real, path: suite.path) { report(problem, range) }
    }

    private func report(_ problem: ProjectFiles.Problem, _ range: SourceRange) {
        report(problem.id, problem.message, range, suggestion: problem.suggestion)
    }
}

/// What all parts of a suite, a mock file or a file of fragments have in common, wherever they stand.
struct SuiteSettings {
    /// What its schemas have in common.
    var schemas = SchemaSettings()
    /// Its contract.
    var contract: SuiteContract?
    /// Whether neither it nor the command line names a contract.
    var lacksContract = false
    /// Its XML namespaces, by prefix.
    var namespaces: [String: String] = [:]
}

/// What was compiled before, by its text.
private struct CompiledTexts {
    var expressions: [String: CompiledExpression] = [:]
    var paths: [String: JSONPath] = [:]
    var patterns: [String: RegularExpression] = [:]
    /// XPaths, which depend on the namespaces of the suite.
    var xpaths: [String: XPathQuery] = [:]
    /// The list of the last status, as most are the same.
    var statusList: [ClosedRange<Int>] = []
    /// Whether the missing of libxml2 was reported.
    var hasReportedMissingLibrary = false
}

/// An expression with what loading needs to know of it, kept so that equal texts are compiled once.
struct CompiledExpression {
    /// The expression.
    let expression: CELExpression
    /// The names that it uses.
    let references: [CELExpression.Reference]
    /// The files that it reads, as far as their paths are constant.
    let fileCalls: [FileCalls.Call]

    /// Compiles an expression.
    init(_ source: String) throws(CELSyntaxError) {
        expression = try CELExpression(source)
        references = expression.freeIdentifiers
        fileCalls = FileCalls.calls(in: source)
    }
}
