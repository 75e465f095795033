public import CEL
public import JSON

/// A YAML value of the suite in which scalars may hold expressions.
public indirect enum ValueTemplate: Sendable {
    /// A value without any expression, at any depth.
    case constant(JSONValue)
    /// A scalar with at least one expression.
    case template(Template)
    /// A list of which at least one element holds an expression.
    case array([ValueTemplate])
    /// A map, in order, of which at least one member holds an expression.
    case object([Member])

    /// A member of an object template.
    public struct Member: Sendable {
        /// The member's name; it may hold expressions.
        public var name: Template
        /// The member's value.
        public var value: ValueTemplate

        /// Creates a member.
        public init(name: Template, value: ValueTemplate) {
            self.name = name
            self.value = value
        }
    }

    /// Evaluates the template to a JSON value.
    ///
    /// - Throws: ``TemplateError`` when an expression fails, or gives what JSON cannot hold.
    public func json(in scope: some CELScope, context: CELContext) throws(TemplateError) -> JSONValue {
        switch self {
        case .constant(let value):
            return value
        case .template(.expression(let expression)):
            let value = try expression.value(in: scope, context: context)
            guard let json = value.json else {
                throw TemplateError(
                    message: "a \(value.typeName) has no JSON form", range: expression.range,
                    expression: expression.expression.source)
            }
            return json
        case .template(let template):
            return .string(try template.text(in: scope, context: context))
        case .array(let elements):
            var values: [JSONValue] = []
            values.reserveCapacity(elements.count)
            for element in elements { values.append(try element.json(in: scope, context: context)) }
            return .array(values)
        case .object(let members):
            var object = JSONObject()
            for member in members {
                let name = try member.name.text(in: scope, context: context)
                object[name] = try member.value.json(in: scope, context: context)
            }
            return .object(object)
        }
    }

    /// Evaluates the template, keeping the type of a sole expression.
    ///
    /// - Throws: ``TemplateError`` when an expression fails, or gives what JSON cannot hold.
    public func value(in scope: some CELScope, context: CELContext) throws(TemplateError) -> CELValue {
        if case .template(let template) = self { return try template.value(in: scope, context: context) }
        return CELValue(try json(in: scope, context: context))
    }

    /// Calls `body` with every expression of the template, in order.
    public func forEachExpression(_ body: (EmbeddedExpression) -> Void) {
        switch self {
        case .constant: break
        case .template(let template): template.expressions.forEach(body)
        case .array(let elements): for element in elements { element.forEachExpression(body) }
        case .object(let members):
            for member in members {
                member.name.expressions.forEach(body)
                member.value.forEachExpression(body)
            }
        }
    }
}
