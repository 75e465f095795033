import Diagnostics
import SuiteModel
import YAML

extension MockReader {
    /// The routes of a list.
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
        // Without a path, nothing is known of the parameters that expressions may use.
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
                "expression-not-allowed", "a route's request line cannot hold an expression", node.range,
                suggestion: "write a parameter as {name}")
            return nil
        }
        let scalars = Array(text.unicodeScalars)
        var method: String?
        var start = 0
        if scalars.first != "/" {
            let end = scalars.firstIndex(of: " ") ?? scalars.count
            let word = MockReader.text(scalars[..<end])
            guard MockReader.isToken(word), end < scalars.count else {
                context.report(
                    "invalid-request-line", "a request line is a method and a path", node.range,
                    suggestion: "write for example \"GET /books/{id}\"")
                return nil
            }
            if word != word.uppercased() {
                context.report(
                    "invalid-request-line", "methods are written in capital letters",
                    ScalarLocator.range(in: node, from: 0, to: end), suggestion: "write \"\(word.uppercased())\"")
            }
            method = word
            start = scalars[end...].firstIndex { $0 != " " } ?? scalars.count
        }
        do {
            return (method, try MockPath(MockReader.text(scalars[start...])), node.range)
        } catch {
            let place = start + error.offset
            context.report(
                "invalid-path", error.message, ScalarLocator.range(in: node, from: place, to: place + error.length))
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
            ExpectationSet.Named(name: key.scalar?.text ?? "", matcher: matchers.matcher(value))
        }
    }

    private func paths(_ node: YAMLNode) -> [ExpectationSet.JSON] {
        node.members.compactMap { key, value in
            let matcher = matchers.matcher(value)
            guard let path = context.jsonPath(key) else { return nil }
            return ExpectationSet.JSON(path: path, pathRange: key.range, matcher: matcher)
        }
    }
}
