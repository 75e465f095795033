import Basics
import CEL
import JSON
import SuiteModel
import YAML

/// An element of a mapping of a request: a header, a query parameter, a field of a form, or a cookie.
protocol RequestItem: Sendable {
    /// Returns the item with the value of the expression that is its name.
    func resolved(in scope: any CELScope, _ context: CELContext) throws(TemplateError) -> Self
    /// Returns the item with another name.
    func renamed(_ name: String) -> Self
    /// Whether the name of the item is not an expression.
    var isNamed: Bool { get }
    /// Returns whether two items with constant names have the same name.
    func hasName(of other: Self) -> Bool
}

extension RequestSpec.Header: RequestItem {
    func resolved(in scope: any CELScope, _ context: CELContext) throws(TemplateError) -> Self { self }

    func renamed(_ name: String) -> Self { RequestSpec.Header(name: name, values: values) }

    var isNamed: Bool { true }

    func hasName(of other: Self) -> Bool { NameRules.areEqualIgnoringCase(name, other.name) }
}

extension RequestSpec.Parameter: RequestItem {
    func resolved(in scope: any CELScope, _ context: CELContext) throws(TemplateError) -> Self {
        name.constantText == nil ? renamed(try name.text(in: scope, context: context)) : self
    }

    func renamed(_ name: String) -> Self { RequestSpec.Parameter(name: .constant(name), value: value) }

    var isNamed: Bool { name.constantText != nil }

    func hasName(of other: Self) -> Bool {
        name.constantText != nil && name.constantText == other.name.constantText
    }
}

/// The items of a mapping of a request, or an expression for the whole mapping.
struct RequestItems<Item: RequestItem>: Sendable {
    /// The items that are written in the suite.
    private(set) var items: [Item] = []
    /// The expressions for names, by the positions of their items.
    private var names: [Int: Templated<String>] = [:]
    /// The expression for the whole mapping.
    private let whole: Templated<[Item]>?

    /// Creates a mapping of items with constant names.
    init(_ items: [Item] = []) {
        self.items = items
        whole = nil
    }

    /// Creates a mapping that is the value of an expression.
    init(whole: Templated<[Item]>) {
        self.whole = whole
    }

    /// Whether all names are known while loading.
    var isKnown: Bool { whole == nil && names.isEmpty && items.allSatisfy(\.isNamed) }

    /// Whether there is nothing in the mapping.
    var isEmpty: Bool { whole == nil && items.isEmpty }

    /// The items as a setting of a request.
    var setting: Templated<[Item]> {
        if let whole { return whole }
        if names.isEmpty { return .constant(items) }
        return .computing("") { scope, context throws(TemplateError) in try named(in: scope, context) }
    }

    /// Adds an item.
    ///
    /// - Parameter name: The name; the item already has it unless it is an expression.
    mutating func append(_ item: Item, named name: Templated<String>? = nil) {
        if case .computed? = name { names[items.count] = name }
        items.append(item)
    }

    /// Returns the items followed by others that are written in the suite, too.
    func adding(_ others: RequestItems) -> RequestItems {
        var result = self
        for (position, item) in others.items.enumerated() { result.append(item, named: others.names[position]) }
        return result
    }

    /// Returns the items with the values of the expressions that are their names.
    private func named(in scope: any CELScope, _ context: CELContext) throws(TemplateError) -> [Item] {
        if let whole { return try whole.value(in: scope, context: context) }
        var result: [Item] = []
        result.reserveCapacity(items.count)
        for (position, item) in items.enumerated() {
            if let name = names[position] {
                result.append(item.renamed(try name.value(in: scope, context: context)))
            } else {
                result.append(try item.resolved(in: scope, context))
            }
        }
        return result
    }

    /// Returns the items together with those of the defaults whose names they do not have.
    func merged(over defaults: RequestItems) -> Templated<[Item]> {
        if defaults.isEmpty { return setting }
        return .computing("") { scope, context throws(TemplateError) in
            let own = try named(in: scope, context)
            let others = try defaults.named(in: scope, context)
            return others.filter { other in !own.contains { $0.hasName(of: other) } } + own
        }
    }
}

/// Converts the members of maps that expressions return to items of requests.
enum RequestMembers {
    /// Returns a header. Null is a header without values, which replaces a default.
    static func header(_ name: String, _ value: JSONValue) throws(InvalidSetting) -> RequestSpec.Header {
        if let problem = FieldKind.header.problem(of: name) { throw InvalidSetting(problem) }
        var values: [Template] = []
        for value in value.arrayValue ?? [value] {
            guard let text = try text(value, of: .header, name) else { continue }
            if isSeveralLines(text) {
                throw InvalidSetting("the value of the header \"\(name)\" must be a single line")
            }
            values.append(.constant(text))
        }
        return RequestSpec.Header(name: name, values: values)
    }

    /// Returns a query parameter or a field of a form.
    static func parameter(_ name: String, _ value: JSONValue) throws(InvalidSetting) -> RequestSpec.Parameter {
        RequestSpec.Parameter(name: .constant(name), value: .constant(value))
    }

    /// Returns a cookie.
    static func cookie(_ name: String, _ value: JSONValue) throws(InvalidSetting) -> RequestSpec.Parameter {
        if let problem = FieldKind.cookie.problem(of: name) { throw InvalidSetting(problem) }
        let text = try text(value, of: .cookie, name)
        return RequestSpec.Parameter(name: .constant(name), value: .constant(text.map(JSONValue.string) ?? .null))
    }

    /// Returns whether a text cannot be the value of a header because it has line breaks.
    static func isSeveralLines(_ text: String) -> Bool {
        text.utf8.contains { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") || $0 == 0 }
    }

    /// Returns a scalar as text; nil for null.
    private static func text(
        _ value: JSONValue, of kind: FieldKind, _ name: String
    ) throws(InvalidSetting) -> String? {
        switch value {
        case .null: return nil
        case .string(let text): return text
        case .number(let number): return number.literal
        case .bool(let flag): return flag ? "true" : "false"
        case .array, .object:
            throw InvalidSetting(
                "the value of the \(kind.rawValue) \"\(name)\" must be a string", got: CELValue(value))
        }
    }
}

extension LoadContext {
    /// Returns the items of a mapping that is written as an expression; reports an error and returns nil for any other
    /// value.
    ///
    /// - Parameters:
    ///   - key: The key of the mapping.
    ///   - make: Converts a member of the map to an item.
    func wholeMap<Item: RequestItem>(
        _ node: YAMLNode, _ key: YAMLNode,
        _ make: @escaping @Sendable (String, JSONValue) throws(InvalidSetting) -> Item
    ) -> RequestItems<Item>? {
        guard let template = expression(node) else {
            reportType(node, expected: "a mapping", key: key)
            return nil
        }
        let name = key.scalar?.text ?? ""
        if case .joined(let parts) = template, parts.isEmpty { return nil }
        guard case .expression(let embedded) = template else {
            report(
                "wrong-type", "\"\(name)\" must be a mapping, or a single expression for one", node.range,
                suggestion: "write the members below \"\(name)\"")
            return nil
        }
        if let type = embedded.expression.knownTypeName, type != "map" {
            report("wrong-type", "\"\(name)\" must be a map, got an expression of type \(type)", embedded.range)
            return nil
        }
        let setting = setting(template, node, id: "wrong-type") { value throws(InvalidSetting) in
            guard case .object(let members)? = value.json else {
                throw InvalidSetting("\"\(name)\" must be a map", got: value)
            }
            var items: [Item] = []
            items.reserveCapacity(members.count)
            for (name, value) in members { items.append(try make(name, value)) }
            return items
        }
        return setting.map(RequestItems.init(whole:))
    }
}
