import Diagnostics
import YAML

/// The values and expected values of a Tavern file.
struct TavernValues {
    let source: TavernSource

    /// The strictness of the comparison of a part of a response.
    enum Strictness: Sendable, Hashable {
        /// All members and elements, and no others.
        case on
        /// The named members, and elements in this order.
        case off
        /// The named members, and elements in any order.
        case anyOrder
    }

    // MARK: Values

    /// Returns a value to send or to compare with.
    ///
    /// Reading limits the depth, including aliases, so this recursion is bounded.
    func value(_ node: YAMLNode, _ scope: inout TavernScope) -> ImportedValue {
        let node = source.resolved(node)
        if let tag = source.tag(node) { return converted(node, tag, &scope) }
        if let sequence = node.sequence { return .sequence(sequence.map { value($0, &scope) }) }
        if let mapping = node.mapping {
            return .mapping(
                mapping.map { ImportedValue.Member(scope.text($0.key.text ?? ""), value($0.value, &scope)) })
        }
        switch PythonScalar(node) {
        case .null?, nil: return .null
        case .bool(let flag)?: return .bool(flag)
        case .number(let number)?: return .plain(number)
        case .string(let text)?: return .text(scope.text(text, isValue: true))
        }
    }

    private func converted(_ node: YAMLNode, _ tag: String, _ scope: inout TavernScope) -> ImportedValue {
        let text = node.text ?? ""
        switch tag {
        case "int", "float":
            if case .number(let number) = PythonScalar(plain: text) {
                return .plain(tag == "float" && Self.isInteger(number) ? number + ".0" : number)
            }
            // Python sends an integer with a fraction, which `double` would not.
            if tag == "float", let number = scope.numberText(text), Self.isInteger(number) {
                return .plain(number + ".0")
            }
            let function = tag == "int" ? "int" : "double"
            return .expression("\(function)(\(scope.expression(text) ?? scope.text(text).concatenation))")
        case "bool":
            if case .bool(let flag) = PythonScalar(plain: text) { return .bool(flag) }
            return .expression("bool(\(scope.expression(text) ?? scope.text(text).concatenation))")
        case "raw": return .literal(text)
        case "uuid":
            return .expression(source.madeUpName(node).map { scope.madeUpVariable($0) } ?? "uuid()")
        case "include_raw": return .text(scope.text(source.rawText(node) ?? text, isValue: true))
        case "!binary":
            return .literal(TavernRequests.decoded(node).map { String(decoding: $0, as: UTF8.self) } ?? text)
        case "approx":
            if case .number(let number) = PythonScalar(plain: text) { return .plain(number) }
            return .literal(text)
        case "force_format_include", "force_original_structure":
            return scope.expression(text).map { .expression($0) } ?? .text(scope.text(text))
        case "anything", "anynumber", "anyint", "anyfloat", "anystr", "anybool", "anylist", "anydict": return .null
        default: return .text(scope.text(text, isValue: true))
        }
    }

    private static func isInteger(_ number: String) -> Bool {
        number.utf8.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }
    }

    // MARK: Matchers

    /// Whether an expected value contains something else than a value to be equal to.
    func hasMatchers(_ node: YAMLNode, _ strictness: Strictness) -> Bool {
        if let tag = source.tag(node) { return Self.isMatcher(tag) }
        if let sequence = node.sequence {
            return strictness != .on || sequence.contains { hasMatchers($0, strictness) }
        }
        if let mapping = node.mapping {
            return strictness != .on || mapping.contains { hasMatchers($0.value, strictness) }
        }
        return false
    }

    private static func isMatcher(_ tag: String) -> Bool {
        tag.hasPrefix("any") || tag.hasPrefix("re_") || tag == "approx"
            || tag != "uuid" && !TavernSource.conversions.contains(tag)
    }

    /// Returns the matcher of an expected value; nil if a pattern has no equivalent.
    func matcher(_ node: YAMLNode, _ strictness: Strictness, _ scope: inout TavernScope) -> ImportedMatcher? {
        let node = source.resolved(node)
        if let tag = source.tag(node), Self.isMatcher(tag) { return matcher(tag, node) }
        guard node.sequence != nil || node.mapping != nil, hasMatchers(node, strictness) else {
            return ImportedMatcher(equals: value(node, &scope))
        }
        if let sequence = node.sequence, strictness != .on {
            let elements = sequence.map { element in
                matcher(element, strictness, &scope).map { ImportedMatcher(.includes, $0.value) }
            }
            guard !elements.contains(nil) else { return nil }
            var result = ImportedMatcher(.type, "array")
            result.clauses += elements.compactMap { $0?.clauses[0] }
            // Equal elements have to occur only once.
            if result.clauses.count == 2 { result.clauses.removeFirst() }
            return result
        }
        guard let value = template(node, strictness, &scope) else { return nil }
        return ImportedMatcher(strictness == .on ? .strictLike : .like, value)
    }

    private func matcher(_ tag: String, _ node: YAMLNode) -> ImportedMatcher? {
        let pattern = node.text ?? ""
        switch tag {
        case "anything": return ImportedMatcher(.exists, true)
        case "anyint": return ImportedMatcher(.type, "integer")
        case "anyfloat", "anynumber": return ImportedMatcher(.type, "number")
        case "anystr": return ImportedMatcher(.type, "string")
        case "anybool": return ImportedMatcher(.type, "boolean")
        case "anylist": return ImportedMatcher(.type, "array")
        case "anydict": return ImportedMatcher(.type, "object")
        case "re_search": return PatternText.matcher(pattern).map { ImportedMatcher(.matches, .literal($0)) }
        case "re_match":
            return PatternText.matcher(pattern).map { ImportedMatcher(.matches, .literal(Self.anchored($0, ""))) }
        case "re_fullmatch":
            return PatternText.matcher(pattern).map { ImportedMatcher(.matches, .literal(Self.anchored($0, "$"))) }
        case "approx":
            guard case .number(let text) = PythonScalar(plain: pattern), let number = Double(text) else { return nil }
            // The tolerance of pytest.
            let tolerance = max(number.magnitude * 1e-6, 1e-12)
            return ImportedMatcher(
                .closeTo, .map([("value", .plain(text)), ("within", .plain(Self.decimal(tolerance)))]))
        // The value of an unknown tag is unknown too.
        case _ where !TavernSource.conversions.contains(tag): return ImportedMatcher(.exists, true)
        default: return nil
        }
    }

    private static func anchored(_ pattern: String, _ end: String) -> String {
        let inner = pattern.contains("|") ? "(?:\(pattern))" : pattern
        return (inner.hasPrefix("^") ? "" : "^") + inner + (inner.hasSuffix("$") ? "" : end)
    }

    /// Returns a small number without an exponent.
    private static func decimal(_ number: Double) -> String {
        if number >= 1e-3 { return "\(number)" }
        let units = Int((number * 1e12).rounded(.up))
        let digits = String(units)
        return "0." + String(repeating: "0", count: max(0, 12 - digits.utf8.count)) + digits
    }

    /// Returns the operand of `like` or `strictLike`.
    private func template(_ node: YAMLNode, _ strictness: Strictness, _ scope: inout TavernScope) -> ImportedValue? {
        if let tag = source.tag(node), Self.isMatcher(tag) {
            return matcher(tag, node).map { .map([("$match", $0.value)]) }
        }
        if let mapping = node.mapping {
            var members: [ImportedValue.Member] = []
            for (key, element) in mapping {
                guard let value = template(element, strictness, &scope) else { return nil }
                members.append(ImportedValue.Member(scope.text(key.text ?? ""), value))
            }
            return .mapping(members)
        }
        if let sequence = node.sequence {
            if strictness != .on { return matcher(node, strictness, &scope).map { .map([("$match", $0.value)]) } }
            let elements = sequence.map { template($0, strictness, &scope) }
            return elements.contains(nil) ? nil : .sequence(elements.compactMap { $0 })
        }
        return value(node, &scope)
    }
}
