import Basics
public import CEL
public import JSON

/// A YAML value of the suite whose scalars may contain expressions.
public indirect enum ValueTemplate: Sendable {
    /// A value without expressions at any depth.
    case constant(JSONValue)
    /// A scalar with at least one expression.
    case template(Template)
    /// A sequence with an expression in at least one element.
    case array([ValueTemplate])
    /// A mapping with an expression in at least one member, in source order.
    case object([Member])

    /// A member of an object template.
    public struct Member: Sendable {
        /// The name of the member; it may contain expressions.
        public var name: Template
        /// The value of the member.
        public var value: ValueTemplate

        /// Creates a member.
        public init(name: Template, value: ValueTemplate) {
            self.name = name
            self.value = value
        }
    }

    /// Evaluates the template to a JSON value.
    ///
    /// - Throws: ``TemplateError`` when an expression fails or returns a value that JSON cannot represent, when the
    ///   value is too large, or when an object has two members with the same name.
    public func json(in scope: some CELScope, context: CELContext) throws(TemplateError) -> JSONValue {
        switch self {
        case .constant(let value): return value
        // A single expression needs no budget: its value is not copied into a larger one.
        case .template(.expression(let expression)): return try Self.json(of: expression, in: scope, context: context)
        case .template, .array, .object:
            var budget = TemplateBudget(context.budget)
            return try json(in: scope, context: context, budget: &budget)
        }
    }

    private func json(
        in scope: some CELScope, context: CELContext, budget: inout TemplateBudget
    ) throws(TemplateError) -> JSONValue {
        switch self {
        case .constant(let value): return value
        case .template(.constant(let text)): return .string(text)
        case .template(.expression(let expression)):
            let value = try Self.json(of: expression, in: scope, context: context)
            try budget.take(value, from: expression)
            return value
        case .template(.joined(let parts)):
            return .string(try Template.joined(parts, in: scope, context: context, budget: &budget))
        case .array(let elements):
            var values: [JSONValue] = []
            values.reserveCapacity(elements.count)
            for element in elements {
                values.append(try element.json(in: scope, context: context, budget: &budget))
            }
            return .array(values)
        case .object(let members):
            var object = JSONObject()
            let mayClash = members.contains { $0.name.constantText == nil }
            for member in members {
                let name = try member.name.text(in: scope, context: context)
                if mayClash, object[name] != nil { try Self.refuse(member, named: name, in: object, of: members) }
                object[name] = try member.value.json(in: scope, context: context, budget: &budget)
            }
            return .object(object)
        }
    }

    private static func json(
        of expression: EmbeddedExpression, in scope: some CELScope, context: CELContext
    ) throws(TemplateError) -> JSONValue {
        let value = try expression.value(in: scope, context: context)
        guard let json = value.json else {
            throw TemplateError(
                message: "a value of type \(value.typeName) cannot be represented in JSON", range: expression.range,
                expression: expression.expression.source)
        }
        return json
    }

    /// Throws an error if a member has the same name as an earlier one, as duplicate keys are errors in the file, too.
    private static func refuse(
        _ member: Member, named name: String, in object: JSONObject, of members: [Member]
    ) throws(TemplateError) {
        // The members of `object` are the members before this one, in the same order.
        guard
            let other = zip(members, object).first(where: { $0.1.key.utf8.elementsEqual(name.utf8) })?.0,
            let expression = member.name.expressions.first ?? other.name.expressions.first
        else { return }
        throw TemplateError(
            message: "the keys \"\(other.name.source)\" and \"\(member.name.source)\" are both \"\(name)\";"
                + " rename one of them",
            range: expression.range, expression: expression.expression.source)
    }

    /// Evaluates the template; a single expression keeps its type.
    ///
    /// - Throws: ``TemplateError`` for the same reasons as the JSON evaluation.
    public func value(in scope: some CELScope, context: CELContext) throws(TemplateError) -> CELValue {
        if case .template(let template) = self { return try template.value(in: scope, context: context) }
        return CELValue(try json(in: scope, context: context))
    }

    /// Calls a closure with every expression of the template, in order.
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
