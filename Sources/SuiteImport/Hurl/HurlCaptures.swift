/// Translates the captures of an entry.
enum HurlCaptures {
    /// Returns a capture; nil if it has no equivalent.
    static func capture(_ capture: HurlCapture, _ response: HurlResponse, _ scope: inout HurlScope) -> ImportedCapture?
    {
        guard let name = capture.name.literal,
            let (source, pattern, isText) = source(of: capture.query, response, &scope)
        else { return nil }
        var result = ImportedCapture(scope.define(name, isText: isText), source)
        result.pattern = pattern
        result.isSecret = capture.isRedacted
        result.isExpectation = true
        return result
    }

    /// Returns the source of a capture, and whether its value is a string.
    private static func source(
        of query: HurlQuery, _ response: HurlResponse, _ scope: inout HurlScope
    ) -> (ImportedCapture.Source, pattern: String?, isText: Bool)? {
        let argument: HurlText? = if case .string(let text)? = query.argument { text } else { nil }
        var pattern: String?
        if query.filters.count == 1, query.filters[0].name == "regex" {
            pattern = HurlScope.matcherPattern(query.filters[0].arguments.first)
        }
        if query.name == "xpath", query.filters.map(\.name) == ["count"], let path = argument?.literal,
            HurlChecks.hasNoPrefix(path), HurlChecks.isNodeset(path)
        {
            return (.xpath("count(\(path))"), nil, false)
        }
        if query.filters.isEmpty || pattern != nil {
            switch (query.name, argument) {
            case ("header", let name?): return (.header(scope.text(name)), pattern, true)
            case ("cookie", let name?) where name.literal?.hasSuffix("]") == false:
                return (.cookie(scope.text(name)), pattern, true)
            case ("body", _): return pattern.map { (.regex($0), nil, true) } ?? (.text, nil, true)
            case ("regex", _) where pattern == nil:
                if let pattern = HurlScope.matcherPattern(query.argument) { return (.regex(pattern), nil, true) }
            case ("status", _) where pattern == nil: return (.status, nil, false)
            case ("jsonpath", let path?) where pattern == nil:
                if let (path, isSingular) = HurlChecks.path(path, &scope), isSingular {
                    return (.json(path), nil, false)
                }
            case ("xpath", let path?):
                guard let path = path.literal, HurlChecks.hasNoPrefix(path), !HurlChecks.isNodeset(path) else {
                    return nil
                }
                return (.xpath(path), pattern, pattern != nil || path.hasPrefix("string("))
            default: break
            }
        }
        guard let value = HurlChecks(isHTML: nil).expression(query, &scope) else { return nil }
        return (.expression(value.source), nil, value.type == .string)
    }

    /// Whether a response is HTML, as far as its expected type shows.
    static func isHTML(_ response: HurlResponse) -> Bool? {
        var types = response.headers.filter { $0.name.literal?.lowercased() == "content-type" }.compactMap(
            \.value.literal)
        for line in response.asserts {
            guard let assert = line.content, assert.query.name == "header",
                case .string(let name)? = assert.query.argument, name.literal?.lowercased() == "content-type",
                case .string(let type)? = assert.predicate.value, let type = type.literal
            else { continue }
            types.append(type)
        }
        if types.contains(where: { $0.contains("html") }) { return true }
        return types.contains { $0.contains("xml") } ? false : nil
    }
}

extension HurlQuery {
    /// The name of the query with its filters, for messages.
    var construct: String { ([name] + filters.map(\.name)).joined(separator: " ") }
}
