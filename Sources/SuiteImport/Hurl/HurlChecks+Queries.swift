import Basics
import CEL
import Digests
import JSON

/// The queries without a matcher.
extension HurlChecks {
    // MARK: Bytes, certificates and redirects

    /// Returns the expectation of an assertion that combines a query with certain filters; nil for all others.
    func special(_ assert: HurlAssert, _ scope: inout HurlScope) -> ImportedCheck? {
        let (query, predicate) = (assert.query, assert.predicate)
        let filters = query.filters.map(\.name)
        switch (query.name, filters) {
        case ("bytes", ["count"]), ("rawbytes", ["count"]):
            guard case .number(let count)? = predicate.value, Int(count) != nil,
                let matcher = comparison(predicate, .literal("\(count)B"))
            else { return nil }
            return .matches(.size, matcher)
        case ("redirects", ["count"]):
            guard case .number(let count)? = predicate.value, let number = HurlChecks.number(count),
                let matcher = comparison(predicate, number)
            else { return nil }
            return .matches(.redirects, matcher)
        case ("certificate", ["daysAfterNow"]):
            guard case .string(let name)? = query.argument, name.literal == "Expire-Date",
                case .number(let days)? = predicate.value, let matcher = comparison(predicate, .literal("\(days)d"))
            else { return nil }
            return .matches(.certificate("expiresIn"), matcher)
        case ("cookie", ["dateFormat"]), ("cookie", ["format"]):
            return expiry(query, predicate)
        case ("sha256", []):
            guard case .bytes(let digest)? = predicate.value, digest.count == 32,
                let matcher = comparison(predicate, .literal(Hexadecimal.encode(digest)))
            else { return nil }
            return .matches(.sha256, matcher)
        case ("bytes", []), ("body", []):
            guard case .bytes(let bytes)? = predicate.value, predicate.name == "==" || predicate.name == "!=",
                let matcher = comparison(predicate, .literal(Self.digest(bytes)))
            else { return nil }
            return .matches(.sha256, matcher)
        default: return nil
        }
    }

    /// Returns the expectation of the time at which a cookie expires; nil if it is not compared as servers write it.
    private func expiry(_ query: HurlQuery, _ predicate: HurlPredicate) -> ImportedCheck? {
        guard case .string(let name)? = query.argument, let name = name.literal,
            name.lowercased().hasSuffix("[expires]"),
            case .string(let format)? = query.filters[0].arguments.first, format.literal == "%a, %d %b %Y %H:%M:%S",
            case .string(let time)? = predicate.value, let time = time.literal, predicate.name == "==",
            time.utf8.allSatisfy({ ASCII.isAlphanumeric($0) || ", :".utf8.contains($0) })
        else { return nil }
        let parts = time.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 5 else { return nil }
        // Servers separate the parts of the day by spaces or hyphens (RFC 6265, section 5.1.1).
        let pattern = "^\(parts[0]) \(parts[1...3].joined(separator: "[ -]")) \(parts[4]) GMT$"
        let matcher = ImportedMatcher(.matches, .literal(pattern))
        return .matches(
            .cookieAttribute(ImportedText(name.prefix { $0 != "[" }), "expires"),
            predicate.isNegated ? matcher.negated : matcher)
    }

    /// Returns the expectation of the locations of redirects, and the positions of the assertions that it replaces.
    ///
    /// The number of redirects must be known, because an expectation has an element for each of them.
    func hops(
        _ asserts: [HurlLine<HurlAssert>], _ scope: inout HurlScope
    ) -> (check: ImportedCheck, replaced: Set<Int>)? {
        func found(with filters: [String]) -> [(index: Int, assert: HurlAssert)] {
            asserts.enumerated().compactMap { index, line in
                guard let assert = line.content, assert.query.name == "redirects",
                    assert.query.filters.map(\.name) == filters
                else { return nil }
                return (index, assert)
            }
        }
        let counts = found(with: ["count"]).compactMap { _, assert -> Int? in
            guard case .number(let text)? = assert.predicate.value, assert.predicate.name == "==",
                !assert.predicate.isNegated
            else { return nil }
            return Int(text)
        }
        guard let count = counts.first, (1...HurlOptions.maximumRedirects).contains(count) else { return nil }
        var locations: [Int: ImportedValue] = [:]
        var replaced: Set<Int> = []
        for (index, assert) in found(with: ["nth", "location"]) {
            guard case .number(let text)? = assert.query.filters[0].arguments.first, let position = Int(text),
                (0..<count).contains(position), locations[position] == nil,
                let matcher = matcher(assert.predicate, &scope)
            else { continue }
            locations[position] = matcher.value
            replaced.insert(index)
        }
        if replaced.isEmpty { return nil }
        let hops = (0..<count).map { ImportedValue.map(locations[$0].map { [("location", $0)] } ?? []) }
        return (.matches(.hops, ImportedMatcher(equals: .sequence(hops))), replaced)
    }

    private func comparison(_ predicate: HurlPredicate, _ operand: ImportedValue) -> ImportedMatcher? {
        let operators: [String: ImportedMatcher.Operator] = [
            "==": .equals, "!=": .equals, ">": .gt, ">=": .gte, "<": .lt, "<=": .lte,
        ]
        guard let `operator` = operators[predicate.name] else { return nil }
        let matcher = ImportedMatcher(`operator`, operand)
        return predicate.isNegated != (predicate.name == "!=") ? matcher.negated : matcher
    }

    /// Returns the SHA-256 digest of bytes in hexadecimal digits.
    static func digest(_ bytes: [UInt8]) -> String {
        var hash = SHA256()
        bytes.withUnsafeBytes { hash.update($0) }
        return Hexadecimal.encode(hash.finalize())
    }

    // MARK: Paths

    /// Returns a JSONPath with expressions, and whether it selects at most one value; nil if it is not valid.
    static func path(_ path: HurlText, _ scope: inout HurlScope) -> (path: ImportedText, isSingular: Bool)? {
        if let literal = path.literal {
            return HurlScope.standardPath(literal).map { (ImportedText($0.path), $0.isSingular) }
        }
        // The values are unknown, but they are names or indexes.
        var probe = ""
        for part in path.parts { if case .literal(let text) = part { probe += text } else { probe += "0" } }
        guard let (standard, isSingular) = HurlScope.standardPath(probe), standard == probe else { return nil }
        return (scope.text(path), isSingular)
    }

    /// Whether an XPath selects nodes, instead of computing a value.
    static func isNodeset(_ path: String) -> Bool {
        let functions = [
            "string(", "normalize-space(", "concat(", "substring(", "substring-before(", "substring-after(",
            "translate(", "local-name(", "name(", "namespace-uri(", "count(", "sum(", "number(", "floor(", "ceiling(",
            "round(", "string-length(", "boolean(", "not(", "contains(", "starts-with(", "true(", "false(", "lang(",
        ]
        let start = path.drop { $0 == " " }
        return !functions.contains { start.hasPrefix($0) }
    }

    /// Whether an XPath uses no namespace prefix, which a suite would have to bind.
    static func hasNoPrefix(_ path: String) -> Bool {
        let bytes = Array(path.utf8)
        var quote: UInt8?
        for (index, byte) in bytes.enumerated() {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") {
                quote = byte
            } else if byte == UInt8(ascii: ":") {
                let isAxis =
                    index + 1 < bytes.count && bytes[index + 1] == byte || index > 0 && bytes[index - 1] == byte
                if !isAxis { return false }
            }
        }
        return true
    }

    /// Whether an XPath uses the name of an element of HTML.
    static func resemblesHTML(_ path: String) -> Bool {
        let names: Set<Substring> = [
            "html", "head", "body", "h1", "h2", "h3", "h4", "h5", "h6", "div", "span", "a", "p", "ul", "ol", "li",
            "table", "tr", "td", "th", "tbody", "form", "input", "button", "select", "option", "img", "script", "meta",
            "article", "section", "main", "nav", "footer", "header", "label", "textarea", "strong", "em", "pre", "code",
        ]
        return path.split { !($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" || $0 == "@") }.contains(
            where: names.contains)
    }

    // MARK: Expressions

    /// Returns the value of a query after its filters; nil if it has no equivalent.
    func expression(_ query: HurlQuery, _ scope: inout HurlScope) -> HurlExpression? {
        let argument: HurlText? = if case .string(let text)? = query.argument { text } else { nil }
        var value: HurlExpression
        switch (query.name, argument) {
        case ("status", _): value = HurlExpression(source: "status", type: .number)
        case ("url", _): value = HurlExpression(source: "response.url", type: .string)
        case ("header", let name?):
            guard let name = name.literal?.lowercased() else { return nil }
            value = HurlExpression(source: "headers[\(CELExpression.literal(name))]", type: .string)
            // Several fields of a name are a list.
            if let first = query.filters.first?.name, ["first", "last", "nth"].contains(first) {
                value = HurlExpression(source: "\(value.source).split(\", \")", type: .list)
            }
        case ("cookie", let name?):
            guard let name = name.literal, !name.hasSuffix("]") else { return nil }
            value = HurlExpression(source: "cookies[\(CELExpression.literal(name))]", type: .string)
        case ("body", _): value = HurlExpression(source: "text", type: .string)
        case ("bytes", _): value = HurlExpression(source: "bytes(text)", type: .bytes)
        case ("md5", _): value = HurlExpression(source: "md5(text)", type: .bytes)
        case ("sha256", _): value = HurlExpression(source: "sha256(text)", type: .bytes)
        case ("regex", _):
            guard let pattern = scope.pattern(query.argument) else { return nil }
            value = HurlExpression(source: "regex.extract(text, \(pattern)).value()", type: .string)
        case ("variable", let name?):
            guard let name = name.literal, scope.defined.contains(name) else { return nil }
            value = scope.expression(HurlPlaceholder(name: name))
        case ("jsonpath", let path?):
            guard let (path, isSingular) = Self.path(path, &scope) else { return nil }
            let source = "jsonpath(json.parse(text), \(path.concatenation))"
            value = HurlExpression(source: isSingular ? source : Self.unwrapped(source, query))
        default: return nil
        }
        for filter in query.filters {
            guard let next = value.applying(filter, &scope) else { return nil }
            value = next
        }
        return value
    }

    /// Returns the list of what a path selects, or its only value, as the filters of the query expect it.
    private static func unwrapped(_ source: String, _ query: HurlQuery) -> String {
        switch query.filters.first?.name {
        case "first", "last", "nth": source
        case "count": "cel.bind(found, \(source), size(found) == 1 && type(found[0]) == list ? found[0] : found)"
        default: "cel.bind(found, \(source), size(found) == 1 ? found[0] : found)"
        }
    }

    // MARK: Assertions

    /// Returns an assertion as a CEL expression; nil if it has no equivalent.
    func assertion(_ assert: HurlAssert, _ scope: inout HurlScope) -> [ImportedCheck]? {
        let predicate = assert.predicate
        if assert.query.name == "variable", predicate.name == "exists", assert.query.filters.isEmpty {
            // A capture that finds nothing fails anyway.
            guard case .string(let name)? = assert.query.argument, let name = name.literal,
                scope.defined.contains(name),
                !predicate.isNegated
            else { return nil }
            return []
        }
        if let source = existence(assert, &scope) { return [.assertion(source)] }
        guard let value = expression(assert.query, &scope), let condition = condition(value, predicate, &scope) else {
            return nil
        }
        let isNegated = predicate.isNegated
        return [.assertion(isNegated ? "!(\(condition))" : condition)]
    }

    /// Returns an expression that a list has an element, or has not; nil for another assertion.
    private func existence(_ assert: HurlAssert, _ scope: inout HurlScope) -> String? {
        guard assert.predicate.name == "exists", let selection = assert.query.filters.last else { return nil }
        var index = 0
        switch selection.name {
        case "first", "last": break
        case "nth":
            guard case .number(let text)? = selection.arguments.first, let number = Int(text), number >= 0 else {
                return nil
            }
            index = number
        default: return nil
        }
        var query = assert.query
        query.filters[query.filters.count - 1] = HurlFilter(name: "count", arguments: [])
        guard let count = expression(query, &scope) else { return nil }
        return "\(count.source) \(assert.predicate.isNegated ? "<=" : ">") \(index)"
    }

    private func condition(
        _ value: HurlExpression, _ predicate: HurlPredicate, _ scope: inout HurlScope
    ) -> String? {
        let source = value.source
        func operand() -> String? { literal(predicate.value, &scope) }
        switch predicate.name {
        case "==", "!=":
            if case .bytes(let bytes)? = predicate.value {
                guard value.type == .bytes else { return nil }
                return "hex.encode(\(source)) \(predicate.name) \"\(Hexadecimal.encode(bytes))\""
            }
            return operand().map { "\(source) \(predicate.name) \($0)" }
        case ">", ">=", "<", "<=": return operand().map { "\(source) \(predicate.name) \($0)" }
        case "startsWith", "endsWith", "contains":
            if case .bytes(let bytes)? = predicate.value {
                // The text of the body begins without a byte order mark, and only text can be compared.
                guard value.type == .bytes, let text = String(validating: bytes, as: UTF8.self),
                    !bytes.starts(with: [0xEF, 0xBB, 0xBF])
                else { return nil }
                return "string(\(source)).\(predicate.name)(\(CELExpression.literal(text)))"
            }
            guard value.type != .bytes, value.type != .number else { return nil }
            return operand().map { "\(source).\(predicate.name)(\($0))" }
        case "matches": return scope.pattern(predicate.value).map { "\(source).matches(\($0))" }
        case "includes": return operand().map { "\($0) in \(source)" }
        case "isEmpty": return "size(\(source)) == 0"
        case "isInteger": return "type(\(source)) == int"
        case "isFloat": return "type(\(source)) == double"
        case "isNumber": return "type(\(source)) in [int, double]"
        case "isString": return "type(\(source)) == string"
        case "isUuid":
            let digits = #"matches("^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$")"#
            return value.type == .string ? "\(source).\(digits)" : "type(\(source)) == string && \(source).\(digits)"
        case "isBoolean": return "type(\(source)) == bool"
        case "isList": return "type(\(source)) == list"
        case "isObject": return "type(\(source)) == map"
        case "isCollection": return "type(\(source)) in [list, map]"
        case "isDate": return value.type == .date ? "type(\(source)) == google.protobuf.Timestamp" : nil
        default: return nil
        }
    }

    private func literal(_ value: HurlValue?, _ scope: inout HurlScope) -> String? {
        switch value {
        case .null?: "null"
        case .bool(let flag)?: flag ? "true" : "false"
        case .number(let text)?: HurlChecks.number(text) == nil ? nil : text
        case .string(let text)?: scope.quoted(text)
        case .placeholder(let placeholder)?: scope.expression(placeholder).source
        case .bytes?, .file?, .regex?, nil: nil
        }
    }
}

extension String {
    /// Returns the start of the last occurrence of a text; nil if there is none.
    func range(ofLast text: String) -> String.Index? {
        var result: String.Index?
        var index = startIndex
        while index < endIndex {
            if self[index...].hasPrefix(text) { result = index }
            index = self.index(after: index)
        }
        return result
    }
}
