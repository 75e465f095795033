import Basics
import CEL
import JSON
import SuiteModel
import YAML

/// A field of a request or a response that a suite names: a header or a cookie.
enum FieldKind: String {
    case header, cookie

    /// The id of errors in a name.
    var problemID: String { "invalid-\(rawValue)" }

    /// Returns the name of a field from the value of an expression.
    ///
    /// - Parameter isToken: Whether the name must be a token (RFC 9110, section 5.6.2).
    func name(from value: CELValue, isToken: Bool) throws(InvalidSetting) -> String {
        switch value {
        case .string, .bool, .int, .uint, .double, .number: break
        case .null, .bytes, .list, .map, .timestamp, .duration, .type, .optional:
            throw InvalidSetting("the name of a \(rawValue) must be a string", got: value)
        }
        let name = value.text
        if let problem = problem(of: name, isToken: isToken) { throw InvalidSetting(problem) }
        return name
    }

    /// The characters of a name (RFC 9110, section 5.6.2), as a suggestion.
    static let hint: MessageText = "a name consists of letters, digits and !#$%&'*+-.^_`|~"

    /// Returns the reason why a text cannot be the name of a field; nil if it can.
    func problem(of name: String, isToken: Bool = true) -> MessageText? {
        if isToken ? NameRules.isToken(name[...]) : !name.isEmpty { return nil }
        return "\(ValueDescription.quoted(name)) is not a valid \(rawValue) name"
    }
}

extension LoadContext {
    /// Returns the name of a header or cookie, or an expression for it; errors are reported.
    ///
    /// - Parameters:
    ///   - isToken: Whether the name must be a token.
    ///   - templates: The reader of expressions.
    func fieldName(
        _ node: YAMLNode, of kind: FieldKind, isToken: Bool = true, _ templates: TemplateReader
    ) -> Templated<String> {
        let template: Template =
            ExpressionScan.mayHoldExpression(node) ? templates.template(node) : .constant(node.scalar?.text ?? "")
        if let name = template.constantText {
            if isToken, let problem = kind.problem(of: name) {
                report(kind.problemID, problem, node.range, suggestion: FieldKind.hint)
            }
            return .constant(name)
        }
        let name = setting(template, node, id: kind.problemID) { value throws(InvalidSetting) in
            try kind.name(from: value, isToken: isToken)
        }
        return name ?? ""
    }
}
