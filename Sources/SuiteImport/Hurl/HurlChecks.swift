import Basics
import CEL

/// Translates the assertions of an entry: to matchers where possible, otherwise to CEL expressions.
struct HurlChecks {
    /// The part of a response that a matcher applies to.
    private struct Target {
        /// The kind of value that Hurl finds there.
        enum Shape {
            case value
            /// The list of what a path selects.
            case list
            /// The values of a header.
            case header
            /// The nodes of an XPath.
            case nodes
            case milliseconds
        }

        var subject: ImportedCheck.Subject
        var shape = Shape.value
        /// The operators before those of the predicate.
        var prefix: [ImportedMatcher.Clause] = []
        /// Whether the predicate applies to the number of elements.
        var isCounted = false
    }

    /// Whether the response is HTML as far as the file shows.
    let isHTML: Bool?

    /// Returns the expectations of an assertion; nil if it has no equivalent.
    func checks(_ assert: HurlAssert, _ scope: inout HurlScope) -> [ImportedCheck]? {
        var assert = assert
        // The former name of `count ==`.
        if assert.predicate.name == "countEquals" {
            assert.query.filters.append(HurlFilter(name: "count"))
            assert.predicate.name = "=="
        }
        if assert.query.name == "status", assert.query.filters.isEmpty {
            return status(assert.predicate, &scope)
        }
        if let special = special(assert, &scope) { return [special] }
        if let target = target(of: assert.query, &scope), let check = check(target, assert.predicate, &scope) {
            return [check]
        }
        return assertion(assert, &scope)
    }

    // MARK: Status

    private func status(_ predicate: HurlPredicate, _ scope: inout HurlScope) -> [ImportedCheck]? {
        switch predicate.name {
        case "isInteger" where !predicate.isNegated, "isNumber" where !predicate.isNegated,
            "exists" where !predicate.isNegated:
            return []
        case "==", "!=", "<", ">", "<=", ">=":
            guard let matcher = matcher(predicate, &scope) else { return nil }
            if matcher.clauses[0].operator == .equals, case .plain(let status) = matcher.clauses[0].operand {
                return [.status([status])]
            }
            return [.statusMatches(matcher)]
        default: return nil
        }
    }

    // MARK: Matchers

    private func target(of query: HurlQuery, _ scope: inout HurlScope) -> Target? {
        var target: Target
        let argument: HurlText? = if case .string(let text)? = query.argument { text } else { nil }
        switch (query.name, argument) {
        case ("header", let name?): target = Target(subject: .header(scope.text(name)), shape: .header)
        case ("cookie", let name?):
            guard let literal = name.literal else { return nil }
            if let bracket = literal.firstIndex(of: "["), literal.hasSuffix("]") {
                let attribute = String(literal[literal.index(after: bracket)...].dropLast())
                guard let key = Self.attributes[attribute.lowercased()] else { return nil }
                target = Target(subject: .cookieAttribute(ImportedText(literal[..<bracket]), key))
            } else {
                target = Target(subject: .cookie(scope.text(name)))
            }
        case ("body", _): target = Target(subject: .text)
        case ("jsonpath", let path?):
            guard let (path, isSingular) = Self.path(path, &scope) else { return nil }
            target = Target(subject: .json(path), shape: isSingular ? .value : .list)
        case ("regex", _):
            guard let pattern = HurlScope.matcherPattern(query.argument) else { return nil }
            target = Target(subject: .text)
            target.prefix = [ImportedMatcher.Clause(operator: .regex, operand: .literal(pattern))]
        case ("xpath", let path?):
            guard let path = path.literal, Self.hasNoPrefix(path) else { return nil }
            let isNodes = Self.isNodeset(path)
            target = Target(
                subject: isHTML ?? Self.resemblesHTML(path) ? .html(path) : .xml(path),
                shape: isNodes ? .nodes : .value)
        case ("duration", _): target = Target(subject: .duration, shape: .milliseconds)
        case ("version", _): target = Target(subject: .http)
        default: return nil
        }
        for filter in query.filters { if !apply(filter, to: &target) { return nil } }
        return target
    }

    /// The attributes of a cookie, with their keys in a suite.
    private static let attributes = [
        "value": "value", "expires": "expires", "max-age": "maxAge", "domain": "domain", "path": "path",
        "secure": "secure", "httponly": "httpOnly", "samesite": "sameSite",
    ]

    /// Applies a filter to a target; false if a matcher cannot express it.
    private func apply(_ filter: HurlFilter, to target: inout Target) -> Bool {
        if target.isCounted { return false }
        func add(_ operator: ImportedMatcher.Operator, _ operand: String) -> Bool {
            guard target.shape == .value || target.shape == .header,
                !target.prefix.contains(where: { $0.operator == .as || $0.operator == `operator` })
            else { return false }
            target.prefix.append(ImportedMatcher.Clause(operator: `operator`, operand: .literal(operand)))
            return true
        }
        switch filter.name {
        case "count":
            guard target.prefix.isEmpty, target.shape != .milliseconds, !Self.isAmbiguous(target) else { return false }
            target.isCounted = true
            return true
        case "first": return select(0, of: &target)
        case "last": return select(-1, of: &target)
        case "nth":
            guard case .number(let text)? = filter.arguments.first, let index = Int(text) else { return false }
            return select(index, of: &target)
        case "toInt": return add(.as, "integer")
        case "toFloat": return add(.as, "number")
        case "toString": return add(.as, "string")
        case "regex":
            guard let pattern = HurlScope.matcherPattern(filter.arguments.first) else { return false }
            return add(.regex, pattern)
        default: return false
        }
    }

    private func select(_ index: Int, of target: inout Target) -> Bool {
        guard target.shape == .value, target.prefix.isEmpty, case .json(let path) = target.subject else { return false }
        target.subject = .json(path + ImportedText("[\(index)]"))
        return true
    }

    /// Whether the only value that a path selects may be a list, which Hurl then counts instead.
    private static func isAmbiguous(_ target: Target) -> Bool {
        guard target.shape == .list, case .json(let path) = target.subject, let path = path.literal,
            let range = path.range(ofLast: "..")
        else { return false }
        return path[range...].utf8.allSatisfy { ASCII.isAlphanumeric($0) || "_-.".utf8.contains($0) }
    }

    private func check(
        _ target: Target, _ predicate: HurlPredicate, _ scope: inout HurlScope
    ) -> ImportedCheck? {
        switch target.shape {
        case .milliseconds: return duration(predicate)
        case .nodes: return nodes(target, predicate, &scope)
        case .list where !target.isCounted: return list(target, predicate, &scope)
        case .value, .header, .list: break
        }
        if case .cookieAttribute(_, let key) = target.subject, key == "secure" || key == "httpOnly" {
            guard predicate.name == "exists", target.prefix.isEmpty else { return nil }
            return .matches(target.subject, ImportedMatcher(equals: .bool(!predicate.isNegated)))
        }
        if predicate.name == "exists", target.prefix.count == 1, target.prefix[0].operator == .regex {
            let matcher = ImportedMatcher(.matches, target.prefix[0].operand)
            return .matches(target.subject, predicate.isNegated ? matcher.negated : matcher)
        }
        // A float may have an integral value, which is an integer for matchers.
        if predicate.name == "isFloat" || predicate.name == "isInteger" && predicate.isNegated { return nil }
        // Several fields of a name are a collection.
        if target.shape == .header, predicate.name == "isCollection" || predicate.name == "isList" {
            guard !predicate.isNegated else { return nil }
            let several = ImportedMatcher(.each, .map([("type", "string")])).and(.length, .map([("gte", 2)]))
            return .matches(target.subject, several)
        }
        guard let matcher = matcher(predicate, &scope) else { return nil }
        if target.isCounted {
            guard !Self.isTextual(predicate) else { return nil }
            let length = ImportedMatcher(.length, matcher.value)
            // Otherwise the length of a value would count.
            let isHeader = target.shape == .header
            return .matches(
                target.subject,
                isHeader ? ImportedMatcher(.each, .map([("type", "string")])).and(.length, matcher.value) : length)
        }
        if target.subject == .http, matcher.clauses[0].operator != .equals { return nil }
        var result = matcher
        result.clauses = target.prefix + matcher.clauses
        return .matches(target.subject, result)
    }

    private func duration(_ predicate: HurlPredicate) -> ImportedCheck? {
        guard case .number(let text)? = predicate.value, let milliseconds = Int(text), milliseconds >= 0 else {
            return nil
        }
        let operand = ImportedValue.literal(DurationText.milliseconds(milliseconds))
        guard let `operator` = Self.comparisons[predicate.name] else { return nil }
        let matcher = ImportedMatcher(`operator`, operand)
        return .matches(.duration, predicate.isNegated != (predicate.name == "!=") ? matcher.negated : matcher)
    }

    private func nodes(
        _ target: Target, _ predicate: HurlPredicate, _ scope: inout HurlScope
    ) -> ImportedCheck? {
        if predicate.name == "exists" || predicate.name == "isEmpty" {
            let exists = (predicate.name == "exists") != predicate.isNegated
            return .matches(target.subject, ImportedMatcher(.exists, .bool(exists)))
        }
        guard target.isCounted, !Self.isTextual(predicate), let matcher = matcher(predicate, &scope) else { return nil }
        switch target.subject {
        case .html(let path): return .matches(.html("count(\(path))"), matcher)
        case .xml(let path): return .matches(.xml("count(\(path))"), matcher)
        default: return nil
        }
    }

    /// Returns the expectation on the values that a path selects. Hurl takes a single value in place of the list.
    private func list(
        _ target: Target, _ predicate: HurlPredicate, _ scope: inout HurlScope
    ) -> ImportedCheck? {
        let isNegated = predicate.isNegated
        let exists = ImportedMatcher(.exists, true)
        switch predicate.name {
        case "exists": return .matches(target.subject, ImportedMatcher(.exists, .bool(!isNegated)))
        case "isEmpty": return .matches(target.subject, isNegated ? exists : ImportedMatcher(.empty, true))
        case "isCollection" where !isNegated, "isList" where !isNegated: return .matches(target.subject, exists)
        case "includes":
            guard let value = value(predicate.value, &scope) else { return nil }
            return .matches(
                target.subject, ImportedMatcher(isNegated ? .none : .includes, ImportedMatcher(equals: value).value))
        case "contains":
            guard let value = value(predicate.value, &scope) else { return nil }
            var matcher = ImportedMatcher(.contains, value)
            // A filter usually selects one value, whose part is meant then.
            if case .json(let path) = target.subject, path.template.utf8.contains(UInt8(ascii: "?")) {
                let single = ImportedMatcher(.each, matcher.value).and(.length, 1)
                matcher = ImportedMatcher(.either, .sequence([matcher.value, single.value]))
            }
            return .matches(target.subject, isNegated ? matcher.negated : matcher)
        case "==", "!=":
            guard let value = value(predicate.value, &scope) else { return nil }
            let matcher = ImportedMatcher(equals: .sequence([value]))
            return .matches(target.subject, isNegated != (predicate.name == "!=") ? matcher.negated : matcher)
        default:
            guard let matcher = matcher(predicate, &scope) else { return nil }
            return .matches(target.subject, ImportedMatcher(.each, matcher.value).and(.length, 1))
        }
    }

    // MARK: Predicates

    private static let comparisons: [String: ImportedMatcher.Operator] = [
        "==": .equals, "!=": .equals, ">": .gt, ">=": .gte, "<": .lt, "<=": .lte,
    ]

    private static let types: [String: ImportedValue] = [
        "isBoolean": "boolean", "isInteger": "integer", "isNumber": "number", "isString": "string",
        "isIsoDate": "dateTime", "isUuid": "uuid", "isIpv4": "ipv4", "isIpv6": "ipv6", "isList": "array",
        "isObject": "object", "isCollection": .sequence(["array", "object"]),
    ]

    /// Whether a predicate never applies to a number.
    private static func isTextual(_ predicate: HurlPredicate) -> Bool {
        ["startsWith", "endsWith", "contains", "matches", "includes"].contains(predicate.name)
    }

    /// Returns the matcher of a predicate on a single value; nil if there is none.
    func matcher(_ predicate: HurlPredicate, _ scope: inout HurlScope) -> ImportedMatcher? {
        guard let matcher = positiveMatcher(predicate, &scope) else { return nil }
        return predicate.isNegated != (predicate.name == "!=") ? matcher.negated : matcher
    }

    private func positiveMatcher(_ predicate: HurlPredicate, _ scope: inout HurlScope) -> ImportedMatcher? {
        if let type = Self.types[predicate.name] { return ImportedMatcher(.type, type) }
        switch predicate.name {
        case "==", "!=": return value(predicate.value, &scope).map { ImportedMatcher(equals: $0) }
        case ">", ">=", "<", "<=":
            guard let `operator` = Self.comparisons[predicate.name] else { return nil }
            switch predicate.value {
            case .number?, .placeholder?: return value(predicate.value, &scope).map { ImportedMatcher(`operator`, $0) }
            default: return nil
            }
        case "startsWith": return text(predicate.value, &scope).map { ImportedMatcher(.startsWith, .text($0)) }
        case "endsWith": return text(predicate.value, &scope).map { ImportedMatcher(.endsWith, .text($0)) }
        case "contains": return value(predicate.value, &scope).map { ImportedMatcher(.contains, $0) }
        case "includes":
            return value(predicate.value, &scope).map {
                ImportedMatcher(.includes, ImportedMatcher(equals: $0).value)
            }
        case "matches":
            return HurlScope.matcherPattern(predicate.value).map { ImportedMatcher(.matches, .literal($0)) }
        case "exists": return ImportedMatcher(.exists, true)
        case "isEmpty": return ImportedMatcher(.empty, true)
        default: return nil
        }
    }

    /// Returns a string to compare with; nil for any other value.
    private func text(_ value: HurlValue?, _ scope: inout HurlScope) -> ImportedText? {
        switch value {
        case .string(let text)?: scope.text(text)
        case .placeholder(let placeholder)?: ImportedText(expression: scope.expression(placeholder).source)
        default: nil
        }
    }

    private func value(_ value: HurlValue?, _ scope: inout HurlScope) -> ImportedValue? {
        switch value {
        case .null?: .null
        case .bool(let flag)?: .bool(flag)
        case .number(let text)?: Self.number(text)
        case .string(let text)?: .text(scope.text(text))
        case .placeholder(let placeholder)?: .expression(scope.expression(placeholder).source)
        case .bytes?, .file?, .regex?, nil: nil
        }
    }

    /// Returns a number as it is written in JSON.
    static func number(_ text: String) -> ImportedValue? {
        guard let value = ImportedBody.json(ImportedText(text), unquoted: .keepText), case .plain = value else {
            return nil
        }
        return value
    }
}
