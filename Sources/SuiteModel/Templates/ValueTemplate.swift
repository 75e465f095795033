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
    /// - Throws: ``TemplateError`` when an expression fails, or gives what JSON cannot hold; when the value gets too large,
    ///   or a map two members of one name.
    public func json(in scope: some CELScope, context: CELContext) throws(TemplateError) -> JSONValue {
        switch self {
        case .constant(let value): return value
        // A value that stands alone is as large as it was.
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
                message: "a \(value.typeName) has no JSON form", range: expression.range,
                expression: expression.expression.source)
        }
        return json
    }

    /// Refuses a member whose name is that of one before it, as a map in the file cannot have a key twice either.
    private static func refuse(
        _ member: Member, named name: String, in object: JSONObject, of members: [Member]
    ) throws(TemplateError) {
        // The members of the object are those before this one, in order.
        guard
            let other = zip(members, object).first(where: { $0.1.key.utf8.elementsEqual(name.utf8) })?.0,
            let expression = member.name.expressions.first ?? other.name.expressions.first
        else { return }
        throw TemplateError(
            message: "the keys \"\(other.name.source)\" and \"\(member.name.source)\" are both \"\(name)\";"
                + " name one of them otherwise",
            range: expression.range, expression: expression.expression.source)
    }

    /// Evaluates the template, keeping the type of a sole expression.
    ///
    /// - Throws: ``TemplateError`` as for JSON.
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
