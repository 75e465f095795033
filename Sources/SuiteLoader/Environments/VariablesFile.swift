import Basics
public import Diagnostics
import FileSystem
public import JSON
import YAML

/// A file of variables for `--variables-file`: a mapping in YAML or JSON.
public enum VariablesFile {
    /// Reads a file.
    ///
    /// - Parameters:
    ///   - path: The path, as passed by the user.
    ///   - workingDirectory: The absolute path of the directory that a relative path resolves against.
    /// - Returns: The variables in file order, and the diagnostics.
    public static func read(
        _ path: String, workingDirectory: String
    ) -> (variables: [(name: String, value: JSONValue)], diagnostics: [Diagnostic]) {
        let absolute = Path.absolute(path, in: workingDirectory)
        let bytes: [UInt8]
        do throws(File.Failure) {
            bytes = try File.bytes(at: absolute)
        } catch {
            guard File.kind(of: absolute) != nil else {
                let names = File.names(inDirectory: Path.parent(of: absolute)) ?? []
                let nearest = Spelling.nearest(to: Path.lastComponent(of: path), among: names)
                return (
                    [],
                    [
                        Diagnostic(
                            id: "missing-file", message: "--variables-file: \"\(path)\" does not exist",
                            suggestion: nearest.map { "did you mean \"\($0)\"?" })
                    ]
                )
            }
            return (
                [],
                [
                    Diagnostic(
                        id: "unreadable-file",
                        message: "--variables-file: the file \"\(path)\" cannot be read: \(error.reason)")
                ]
            )
        }
        return read(SourceFile(name: path, text: bytes))
    }

    /// Parses the contents of a file.
    static func read(_ file: SourceFile) -> (variables: [(name: String, value: JSONValue)], diagnostics: [Diagnostic]) {
        let (documents, problems) = YAMLStream.parse(file)
        if problems.contains(where: { $0.severity == .error }) { return ([], problems) }
        var bag = DiagnosticBag(problems)
        if documents.count > 1 {
            bag.add(
                Diagnostic(
                    id: "several-documents", message: "a variables file must contain a single document",
                    range: documents[1].range, suggestion: "move it to a separate file"))
        }
        guard let root = documents.first, !root.isNull else { return ([], bag.sorted) }
        guard let mapping = root.mapping else {
            bag.add(
                Diagnostic(
                    id: "wrong-type", message: "a variables file must be a mapping, got \(root.typeDescription)",
                    range: root.range, suggestion: "write \"name: value\""))
            return ([], bag.sorted)
        }
        var variables: [(name: String, value: JSONValue)] = []
        variables.reserveCapacity(mapping.count)
        for (key, value) in mapping {
            guard let name = key.scalar?.text else { continue }
            if let problem = VariableNames.problem(of: name) {
                bag.add(
                    Diagnostic(
                        id: "invalid-name", message: problem.message, range: key.range,
                        suggestion: problem.suggestion))
            }
            let read = self.value(of: value)
            if let node = read.expression {
                bag.add(
                    Diagnostic(
                        id: "expression-not-allowed", message: "a variables file cannot contain an expression",
                        range: node.range, suggestion: "write the value, or define the variable in a suite"))
            }
            variables.append((name, read.value))
        }
        return (variables, bag.sorted)
    }

    /// Returns the value of a node and the first scalar that contains an expression, if any.
    ///
    /// As in suites, `$${` stands for `${`.
    private static func value(of node: YAMLNode) -> (value: JSONValue, expression: YAMLNode?) {
        // Parsing limits the depth, so this recursion is bounded.
        if let scalar = node.scalar {
            guard scalar.isString, ExpressionScan.mayHoldExpression(scalar.text[...]) else {
                return (scalar.value, nil)
            }
            guard let pieces = try? ExpressionScan.pieces(of: scalar.text[...], firstScalar: 0) else {
                return (scalar.value, node)
            }
            var text = ""
            for piece in pieces {
                guard case .text(let part) = piece else { return (scalar.value, node) }
                text += part
            }
            return (.string(text), nil)
        }
        var expression: YAMLNode?
        if let sequence = node.sequence {
            let elements = sequence.map { element in
                let read = value(of: element)
                expression = expression ?? read.expression
                return read.value
            }
            return (.array(elements), expression)
        }
        var object = JSONObject()
        guard let mapping = node.mapping else { return (.null, nil) }
        for (key, member) in mapping {
            let read = value(of: member)
            expression = expression ?? read.expression
            object.append(key.scalar?.text ?? "", read.value)
        }
        return (.object(object), expression)
    }
}

/// Reads the files under `dotenv`.
struct DotenvReader {
    /// A file under `dotenv`.
    struct Reference {
        /// The path.
        let path: String
        /// The node of the path.
        let node: YAMLNode
        /// The absolute path of the directory that the path resolves against.
        let directory: String
    }

    /// The shared state of the readers.
    let context: LoadContext

    init(_ context: LoadContext) {
        self.context = context
    }

    /// Returns the files of a value of `dotenv`.
    func files(_ node: YAMLNode) -> [Reference] {
        context.strings(node, what: "a path").map {
            Reference(path: $0.text, node: $0.node, directory: context.directory)
        }
    }

    /// Returns the definitions of files; later files win.
    ///
    /// A missing file defines nothing, because the process environment provides the values where a suite runs
    /// unattended.
    func values(of files: [Reference]) -> [String: String] {
        var values: [String: String] = [:]
        for file in files {
            let (path, node) = (file.path, file.node)
            let absolute = Path.absolute(path, in: file.directory)
            guard File.realPath(absolute) != nil else {
                warnOfMissing(path, absolute, node)
                continue
            }
            let contents = context.reading(in: file.directory) { context.bytes(ofFile: path, node.range) }
            guard let bytes = contents else { continue }
            let suitePath = node.file.name
            let isBare = path.hasPrefix("/") || !suitePath.utf8.contains(UInt8(ascii: "/"))
            let environment = context.options.processEnvironment
            let result = DotenvParser.parse(
                bytes, name: isBare ? path : Path.parent(of: suitePath) + "/" + path, previous: values
            ) { environment[$0] }
            context.diagnostics.add(contentsOf: result.diagnostics)
            for (name, value) in result.values { values[name] = value }
        }
        return values
    }

    private func warnOfMissing(_ path: String, _ absolute: String, _ node: YAMLNode) {
        let names = File.names(inDirectory: Path.parent(of: absolute)) ?? []
        guard let nearest = Spelling.nearest(to: Path.lastComponent(of: path), among: names) else { return }
        context.report(
            "missing-file", "\"\(path)\" does not exist", node.range, suggestion: "did you mean \"\(nearest)\"?",
            severity: .warning)
    }
}
