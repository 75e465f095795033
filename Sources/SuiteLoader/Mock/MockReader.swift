import Basics
import Diagnostics
import FileSystem
import SuiteModel
import YAML

/// Reads the document of a mock file.
struct MockReader {
    /// The shared state of the readers.
    let context: LoadContext
    /// The reader of scalars with expressions.
    let templates: TemplateReader
    /// The reader of matchers.
    let matchers: MatcherReader

    init(_ context: LoadContext) {
        self.context = context
        templates = TemplateReader(context)
        matchers = MatcherReader(context)
    }

    /// Returns the definition of a document, and reports its errors.
    func definition(_ node: YAMLNode) -> MockDefinition {
        var definition = MockDefinition(file: node.file, name: MockReader.name(ofFile: node.file.name))
        context.begin(SuiteSettings(schemas: SchemaSettingsReader(context: context).settings(node)))
        MapReader(context, MockKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .name: definition.name = templates.constant(value, what: "a name")
            case .description: break
            case .schemas: context.readMembers(value, .string) { _, _, _ in }
            case .defaults: definition.defaults = defaults(value)
            case .collections: definition.collections = collections(value)
            case .routes: definition.routes = routes(value)
            }
        }
        if node["routes"] == nil, node["collections"] == nil, context.diagnostics.isEmpty {
            context.report(
                "missing-key", "a mock file needs \"routes\" or \"collections\"",
                node.mapping?.first?.key.range ?? node.range)
        }
        reportUnreachable(definition.routes)
        return definition
    }

    private func defaults(_ node: YAMLNode) -> MockDefinition.Defaults {
        var defaults = MockDefinition.Defaults()
        let firstUse = context.uses.count
        MapReader(context, MockDefaultsKey.schema).read(node) { key, keyNode, value in
            switch key {
            case .headers: defaults.headers = headers(value).headers
            case .delay: defaults.delay = context.duration(value, keyNode) ?? 0
            case .schemaFormat: break
            }
        }
        checkNames(from: firstUse, parameters: [])
        return defaults
    }

    /// Returns the headers of a mapping, and the names that null removes.
    func headers(_ node: YAMLNode) -> (headers: [RequestSpec.Header], removed: [String]) {
        var headers: [RequestSpec.Header] = []
        var removed: [String] = []
        for (key, value) in node.members {
            guard let name = key.scalar?.text else { continue }
            guard NameRules.isToken(name[...]) else {
                context.report(
                    "invalid-header", "\"\(name)\" is not a valid header name", key.range, suggestion: FieldKind.hint)
                continue
            }
            if value.isNull {
                removed.append(name)
            } else if let list = value.sequence {
                headers.append(RequestSpec.Header(name: name, values: list.compactMap(headerValue)))
            } else if let template = headerValue(value) {
                headers.append(RequestSpec.Header(name: name, values: [template]))
            }
        }
        return (headers, removed)
    }

    private func headerValue(_ node: YAMLNode) -> Template? {
        guard node.kind == .scalar, !node.isNull else {
            context.reportType(node, expected: "a string")
            return nil
        }
        let template = templates.template(node)
        if template.constantText?.utf8.contains(where: { $0 < 0x20 && $0 != 0x09 || $0 == 0x7F }) == true {
            context.report(
                "invalid-header", "a header value cannot contain line breaks or control characters", node.range)
            return nil
        }
        return template
    }

    private static func name(ofFile path: String) -> String {
        let name = Path.lastComponent(of: path)
        return String(name.prefix { $0 != "." })
    }

    /// Reports routes that can never match, because an earlier one has the same request line and no conditions.
    private func reportUnreachable(_ routes: [MockRoute]) {
        var always: [String: SourceRange] = [:]
        for route in routes {
            if let previous = always[route.requestLine] {
                context.report(
                    "unreachable-route", "no request can match this route: an earlier one matches them all",
                    route.range,
                    related: [Diagnostic.Related(message: "the earlier route is here", range: previous)],
                    suggestion: "move it before the other route, which has no \"when\"", severity: .warning)
            } else if route.conditions.isEmpty {
                always[route.requestLine] = route.range
            }
        }
    }
}

extension MockReader {
    /// Returns the routes of a sequence.
    func routes(_ node: YAMLNode) -> [MockRoute] {
        var routes: [MockRoute] = []
        for element in node.elements {
            if let route = route(element) { routes.append(route) }
        }
        return routes
    }

    private func route(_ node: YAMLNode) -> MockRoute? {
        var line: (method: String?, path: MockPath, range: SourceRange)?
        var conditions = MockConditions()
        var responses: [MockResponse] = []
        var order = MockRoute.Order.repeatLast
        let firstUse = context.uses.count
        MapReader(context, RouteKey.schema).read(node) { key, _, value in
            switch key {
            case .request: line = requestLine(value)
            case .when: conditions = self.conditions(value)
            case .respond: (responses, order) = answers(value)
            }
        }
        // Without a path, the parameters that expressions may use are unknown.
        if let line {
            checkNames(from: firstUse, parameters: line.path.parameterNames)
        } else {
            context.uses.removeSubrange(firstUse...)
        }
        guard let line, !responses.isEmpty else { return nil }
        return MockRoute(
            method: line.method, path: line.path, conditions: conditions, responses: responses, order: order,
            range: line.range)
    }

    // MARK: - Request lines

    private func requestLine(_ node: YAMLNode) -> (method: String?, path: MockPath, range: SourceRange)? {
        guard let text = node.scalar?.text else { return nil }
        if text.contains("${") {
            context.report(
                "expression-not-allowed", "the request line of a route cannot contain an expression", node.range,
                suggestion: "write a parameter as {name}")
            return nil
        }
        let scalars = Array(text.unicodeScalars)
        var method: String?
        var start = 0
        if scalars.first != "/" {
            let end = scalars.firstIndex(of: " ") ?? scalars.count
            let word = MockReader.text(scalars[..<end])
            guard NameRules.isToken(word[...]), end < scalars.count else {
                context.report(
                    "invalid-request-line", "a request line must be a method and a path", node.range,
                    suggestion: "for example, write \"GET /books/{id}\"")
                return nil
            }
            if word != word.uppercased() {
                context.report(
                    "invalid-request-line", "methods must be uppercase",
                    ScalarLocator.range(in: node, from: 0, to: end), suggestion: "write \"\(word.uppercased())\"")
            }
            method = word
            start = scalars[end...].firstIndex { $0 != " " } ?? scalars.count
        }
        do {
            return (method, try MockPath(MockReader.text(scalars[start...])), node.range)
        } catch {
            let location = start + error.offset
            context.report(
                "invalid-path", error.message,
                ScalarLocator.range(in: node, from: location, to: location + error.length))
            return nil
        }
    }

    private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
        var view = String.UnicodeScalarView()
        view.append(contentsOf: scalars)
        return String(view)
    }

    // MARK: - Conditions

    private func conditions(_ node: YAMLNode) -> MockConditions {
        var conditions = MockConditions()
        MapReader(context, WhenKey.schema).read(node) { key, _, value in
            switch key {
            case .query: conditions.query = named(value)
            case .headers: conditions.headers = named(value)
            case .cookies: conditions.cookies = named(value)
            case .form: conditions.form = named(value)
            case .json: conditions.json = paths(value)
            case .body: conditions.body = matchers.matcher(value)
            }
        }
        return conditions
    }

    private func named(_ node: YAMLNode) -> [ExpectationSet.Named] {
        node.members.map { key, value in
            ExpectationSet.Named(name: .constant(key.scalar?.text ?? ""), matcher: matchers.matcher(value))
        }
    }

    private func paths(_ node: YAMLNode) -> [ExpectationSet.JSON] {
        node.members.compactMap { key, value in
            let matcher = matchers.matcher(value)
            guard let path = context.jsonPath(key, matchers.templates) else { return nil }
            return ExpectationSet.JSON(path: path, pathRange: key.range, matcher: matcher)
        }
    }
}
