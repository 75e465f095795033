import Basics
import Diagnostics
import FileSystem
import SuiteModel
import YAML

/// Reads `serve`.
struct ServeReader {
    /// The shared state of the readers.
    let context: LoadContext
    /// The reader of templates.
    let templates: TemplateReader

    init(_ context: LoadContext) {
        self.context = context
        templates = TemplateReader(context)
    }

    /// Returns the server of a suite; reports an error and returns nil if it is incomplete.
    ///
    /// - Parameters:
    ///   - node: The value of `serve`; null starts no server.
    ///   - isShared: Set to whether several suites share the server.
    func serve(_ node: YAMLNode, isShared: inout Bool) -> Serve? {
        isShared = false
        if node.isNull { return nil }
        var mock: (key: YAMLNode, value: YAMLNode)?
        var commandKey: YAMLNode?
        var options: [YAMLNode] = []
        var command = Serve.Command(arguments: [], directory: context.directory, range: node.range)
        let found = MapReader(context, ServeKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .mock: mock = (keyNode, value)
            case .command:
                commandKey = keyNode
                command.range = value.range
                command.arguments = arguments(value)
            case .directory:
                options.append(keyNode)
                command.directory = context.existingDirectory(templates.constant(value, what: "a path"), value.range)
            case .env:
                options.append(keyNode)
                command.environment = environment(value)
            case .ready:
                options.append(keyNode)
                if let line = RequestReader(context, defaults: SuiteDefaults()).requestLine(value) {
                    checkReady(line, in: value)
                    command.ready = (line.method, line.url)
                }
            case .within:
                options.append(keyNode)
                if let duration = context.duration(value, keyNode) { command.within = duration }
            case .shared: isShared = value.isTrue
            case .log:
                options.append(keyNode)
                command.log = context.writableFile(templates.constant(value, what: "a path"), value.range)
            }
        }
        switch (mock, commandKey) {
        case (let mock?, let commandKey?):
            context.report(
                "conflicting-keys", "\"serve\" starts either a mock or a command, not both", commandKey.range,
                related: [Diagnostic.Related(message: "the mock is here", range: mock.key.range)])
            return nil
        case (let mock?, nil):
            for option in options {
                context.report(
                    "conflicting-keys",
                    "\"\(option.scalar?.text ?? "")\" belongs to a command, not to a mock",
                    option.range)
            }
            return self.mock(mock.value)
        case (nil, _?): return .command(command)
        case (nil, nil):
            if !found.contains(.mock), !found.contains(.command) {
                context.report(
                    "missing-key", "\"serve\" needs \"mock\" or \"command\"",
                    node.mapping?.first?.key.range ?? node.range)
            }
            return nil
        }
    }

    private func mock(_ node: YAMLNode) -> Serve? {
        let path = templates.constant(node, what: "a path")
        let file = Path.absolute(path, in: context.directory)
        if let source = OutsideSource(path), File.kind(of: file) == nil {
            context.report(
                "missing-file", "\"\(path)\" is not a file", node.range,
                suggestion: source.suggestion("write \"mock: openapi.yaml\""))
            return nil
        }
        guard let bytes = context.bytes(ofFile: path, node.range) else { return nil }
        // Its diagnostics show a path relative to the same directory as that of the suite.
        let suitePath = node.file.name
        let shown =
            path.hasPrefix("/") || !suitePath.utf8.contains(UInt8(ascii: "/"))
            ? path : Path.normalized(Path.parent(of: suitePath) + "/" + path)
        let (definition, problems) = MockLoader(options: context.options).load(
            SourceFile(name: shown, text: bytes), directory: Path.parent(of: File.realPath(file) ?? file),
            schemas: context.schemas, settings: context.settings.schemas)
        context.diagnostics.add(contentsOf: problems)
        return definition.map { .mock($0, range: node.range) }
    }

    /// Checks the URL of the readiness request.
    private func checkReady(_ line: RequestReader.RequestLine, in node: YAMLNode) {
        let problems = context.diagnostics.count
        URLCheck(context).check(line.url, in: node, at: line.offset)
        let start: String
        switch line.url {
        case .constant(let text): start = text
        case .joined(let parts):
            guard case .text(let text)? = parts.first else { return }
            start = text
        case .expression: return
        }
        if start.hasPrefix("/") || start.hasPrefix("http://") || start.hasPrefix("https://")
            || context.diagnostics.count > problems
        {
            return
        }
        context.report(
            "invalid-url", "the URL of \"ready\" must be absolute or start with \"/\"", line.range,
            suggestion: "write \"\(line.method) /\(start)\(line.url.constantText == nil ? "…" : "")\"")
    }

    /// Returns the program and its arguments.
    func arguments(_ node: YAMLNode) -> [Template] {
        var arguments: [Template] = []
        for element in node.elements {
            guard NodeForms.scalar.contains(NodeForms(of: element)) else {
                context.reportType(element, expected: "a string")
                continue
            }
            arguments.append(templates.template(element))
        }
        if node.sequence?.isEmpty == true {
            context.report("invalid-command", "a command needs a program", node.range)
        }
        return arguments
    }

    /// Returns variables for the environment of a program.
    func environment(_ node: YAMLNode) -> [(name: String, value: Template)] {
        var variables: [(name: String, value: Template)] = []
        context.readMembers(node, .text) { name, key, value in
            if name.isEmpty || name.utf8.contains(where: { $0 == UInt8(ascii: "=") || $0 == 0 }) {
                context.report("invalid-name", "\"\(name)\" is not a valid environment variable name", key.range)
            }
            variables.append((name, templates.template(value)))
        }
        return variables
    }
}
