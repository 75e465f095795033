import Basics
import Diagnostics
import JSON

/// Checks of links and callbacks.
extension StructureCheck {
    /// Checks the target of a link and its values for the target operation.
    mutating func checkLink(_ node: DescriptionNode) {
        checkExpressions(ofLink: node)
        if let id = node["operationId"], let text = id.value.stringValue {
            guard let operation = operations.operation(id: text) else {
                return report(
                    "unknown-operation", "no operation has the operationId \"\(text)\"", at: id,
                    suggestion: Spelling.nearest(to: text, among: operations.ids).map { "did you mean \"\($0)\"?" })
            }
            checkParameters(ofLink: node, to: operation)
        } else if let reference = node["operationRef"], let text = reference.value.stringValue {
            do {
                let target = try files.target(of: text, from: node)
                noteUse(of: target)
                if let operation = operations.operation(at: target) { checkParameters(ofLink: node, to: operation) }
            } catch {
                report("unresolved-reference", error.message, at: reference, suggestion: error.suggestion)
            }
        } else if node["operationId"] == nil, node["operationRef"] == nil {
            report(
                "missing-member", "a link has neither \"operationId\" nor \"operationRef\"", at: node, atKey: true,
                suggestion: "name the target operation")
        }
    }

    /// Reports parameters of a link that the operation does not have.
    private mutating func checkParameters(ofLink node: DescriptionNode, to operation: Operation) {
        guard operation.unknownParameters.isEmpty else { return }
        for parameter in node["parameters"]?.members ?? [] where !Self.has(operation, parameter.name) {
            let names = operation.parameters.map(\.name)
            report(
                "unknown-link-parameter", "\(operation.title) has no parameter \"\(parameter.name)\"", at: parameter,
                atKey: true,
                suggestion: Spelling.nearest(to: parameter.name, among: names).map { "did you mean \"\($0)\"?" }
                    ?? (names.isEmpty ? "it has no parameters" : "it has \(names.prefix(8).joined(separator: ", "))"))
        }
    }

    /// Returns whether an operation has a parameter with a name, which a location may qualify: `path.id`.
    private static func has(_ operation: Operation, _ name: String) -> Bool {
        operation.parameters.contains { parameter in
            let own = [parameter.name, "\(parameter.location.rawValue).\(parameter.name)"]
            // Header names are case-insensitive.
            return own.contains(name)
                || (parameter.location == .header && own.contains { $0.lowercased() == name.lowercased() })
        }
    }

    private mutating func checkExpressions(ofLink node: DescriptionNode) {
        var values = node["parameters"]?.members ?? []
        if let body = node["requestBody"] { values.append(body) }
        for value in values {
            guard let text = value.value.stringValue else { continue }
            for expression in RuntimeExpression.expressions(in: text) { check(expression, at: value, atKey: false) }
        }
    }

    /// Checks the expressions in the URLs of a callback.
    mutating func checkCallback(_ node: DescriptionNode) {
        for path in node.members where !path.name.hasPrefix("x-") {
            for expression in RuntimeExpression.expressions(in: path.name) { check(expression, at: path, atKey: true) }
        }
    }

    private mutating func check(_ expression: String, at node: DescriptionNode, atKey: Bool) {
        guard let problem = RuntimeExpression.problem(in: expression) else { return }
        report(
            "invalid-expression", "\"\(expression)\" is not a runtime expression: \(problem)", at: node, atKey: atKey)
    }
}

/// The operations that links can target, by identifier and location.
struct LinkTargets {
    private var byID: [String: Operation] = [:]
    private var byNode: [DescriptionNode: Operation] = [:]

    init(_ operations: [Operation]) {
        for operation in operations {
            if let id = operation.id, byID[id] == nil { byID[id] = operation }
            byNode[operation.node] = operation
        }
    }

    /// The identifiers, in alphabetical order.
    var ids: [String] { byID.keys.sorted() }

    /// Returns the operation with an identifier.
    func operation(id: String) -> Operation? { byID[id] }

    /// Returns the operation at a location.
    func operation(at node: DescriptionNode) -> Operation? { byNode[node] }
}

/// The syntax of runtime expressions in links and callbacks (section "Runtime Expressions").
enum RuntimeExpression {
    /// Returns the error in an expression, or `nil` if it is valid.
    ///
    /// - Parameter text: The expression, starting with its dollar sign.
    static func problem(in text: String) -> String? {
        if ["$url", "$method", "$statusCode"].contains(text) { return nil }
        for start in ["$request.", "$response."] where text.hasPrefix(start) {
            return problem(inSource: text.dropFirst(start.count))
        }
        return "it must be $url, $method, or $statusCode, or start with $request. or $response."
    }

    private static func problem(inSource source: Substring) -> String? {
        for part in ["header.", "query.", "path."] where source.hasPrefix(part) {
            let name = source.dropFirst(part.count)
            if name.isEmpty { return "a name must follow \"\(part)\"" }
            let isHeader = part == "header."
            return isHeader && !name.utf8.allSatisfy(\.isOfToken) ? "\"\(name)\" is not a header name" : nil
        }
        guard source.hasPrefix("body") else { return "expected header., query., path., or body" }
        let rest = source.dropFirst(4)
        if rest.isEmpty { return nil }
        guard rest.first == "#" else {
            return "a JSON Pointer must follow \"body\", such as body#/\(rest.drop { !$0.isLetter })"
        }
        let pointer = rest.dropFirst()
        if pointer.isEmpty { return nil }
        guard pointer.first == "/" else { return "a JSON Pointer must start with a slash: body#/\(pointer)" }
        return (try? JSONPointer(String(pointer))) == nil ? "\"\(pointer)\" is not a JSON Pointer" : nil
    }

    /// Returns the expressions in a string: the whole string if it starts with a dollar sign, otherwise those in
    /// braces.
    static func expressions(in text: String) -> [String] {
        if text.hasPrefix("$") { return [text] }
        var found: [String] = []
        var rest = text[...]
        while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
            let inner = rest[rest.index(after: open)..<close]
            if inner.hasPrefix("$") { found.append(String(inner)) }
            rest = rest[rest.index(after: close)...]
        }
        return found
    }
}

extension UInt8 {
    /// Whether a token can contain the byte (RFC 9110, section 5.6.2).
    fileprivate var isOfToken: Bool {
        ASCII.isAlphanumeric(self) || "!#$%&'*+-.^_`|~".utf8.contains(self)
    }
}
