import Basics
import JSON
import RegularExpressions

/// Reading of keyword values, with errors that describe invalid ones.
extension SchemaCompiler {
    /// Returns an error for a keyword with an invalid value.
    func wrong(
        _ keyword: Keyword, _ builder: NodeBuilder, _ expected: String, _ value: JSONValue
    ) -> JSONSchemaError {
        registry.schemaError(
            "\"\(keyword.rawValue)\" must be \(expected), got \(ValueDescription.typed(value))", at: builder.location,
            [keyword.rawValue])
    }

    func string(_ value: JSONValue, _ keyword: Keyword, _ builder: NodeBuilder) throws(JSONSchemaError) -> String {
        guard case .string(let text) = value else { throw wrong(keyword, builder, "a string", value) }
        return text
    }

    func flag(_ value: JSONValue, _ keyword: Keyword, _ builder: NodeBuilder) throws(JSONSchemaError) -> Bool {
        guard case .bool(let flag) = value else { throw wrong(keyword, builder, "true or false", value) }
        return flag
    }

    func array(_ value: JSONValue, _ keyword: Keyword, _ builder: NodeBuilder) throws(JSONSchemaError) -> [JSONValue] {
        guard case .array(let elements) = value else { throw wrong(keyword, builder, "an array", value) }
        return elements
    }

    func object(_ value: JSONValue, _ keyword: Keyword, _ builder: NodeBuilder) throws(JSONSchemaError) -> JSONObject {
        guard case .object(let members) = value else { throw wrong(keyword, builder, "an object", value) }
        return members
    }

    /// Returns a non-negative integer. Integers that exceed `Int` are clamped to `Int.max`.
    func count(_ value: JSONValue, _ keyword: Keyword, _ builder: NodeBuilder) throws(JSONSchemaError) -> Int {
        let isAllowed =
            builder.dialect.draft == .draft4
            ? TypeSet.writtenInteger.admits(value) : TypeSet.integer.admits(value)
        guard isAllowed, case .number(let number) = value, !number.isNegative else {
            throw wrong(keyword, builder, "a non-negative integer", value)
        }
        return number.int64.flatMap(Int.init(exactly:)) ?? .max
    }

    func types(_ value: JSONValue, _ builder: NodeBuilder) throws(JSONSchemaError) -> TypeSet {
        switch value {
        case .string: return try type(value, builder, ["type"])
        case .array(let elements):
            guard !elements.isEmpty else { throw wrong(.type, builder, "a type or a non-empty array of types", value) }
            var types: TypeSet = []
            for (index, element) in elements.enumerated() {
                let type = try type(element, builder, ["type", String(index)])
                if types.contains(type) {
                    throw registry.schemaError(
                        "\"type\" names \(ValueDescription.plain(element)) twice", at: builder.location,
                        ["type", String(index)])
                }
                types.formUnion(type)
            }
            return types
        default: throw wrong(.type, builder, "the name of a type or an array of such names", value)
        }
    }

    private func type(
        _ value: JSONValue, _ builder: NodeBuilder, _ tokens: [String]
    ) throws(JSONSchemaError) -> TypeSet {
        let names = ["null", "boolean", "integer", "number", "string", "array", "object"]
        guard case .string(let name) = value else {
            throw registry.schemaError(
                "a type must be a string, one of \(ValueDescription.list(names)), got \(ValueDescription.typed(value))",
                at: builder.location, tokens)
        }
        if let type = TypeSet.named(name, in: builder.dialect.draft) { return type }
        let usual = [
            "int": "integer", "float": "number", "double": "number", "bool": "boolean", "str": "string",
            "dict": "object", "list": "array", "nil": "null", "none": "null",
        ]
        let hint = usual[name.lowercased()] ?? Spelling.nearest(to: name, among: names)
        let suggestion =
            hint.map { "did you mean \"\($0)\"?" } ?? "known types are \(ValueDescription.list(names, "and"))"
        throw registry.schemaError(
            "unknown type \(ValueDescription.quoted(name)); \(suggestion)", at: builder.location, tokens)
    }

    func enumeration(_ value: JSONValue, _ builder: NodeBuilder) throws(JSONSchemaError) -> ValueSet {
        let values = try array(value, .enumeration, builder)
        if values.isEmpty, builder.dialect.draft.order < JSONSchemaDialect.draft7.order {
            throw wrong(.enumeration, builder, "a non-empty array", value)
        }
        return ValueSet(values, keyword: .enumeration)
    }

    func required(_ value: JSONValue, _ builder: NodeBuilder) throws(JSONSchemaError) -> [String] {
        if case .bool = value {
            throw registry.schemaError(
                "\"required\" must be an array of property names next to \"properties\", got "
                    + "\(ValueDescription.typed(value))",
                at: builder.location, ["required"])
        }
        if case .array(let names) = value, names.isEmpty, builder.dialect.draft == .draft4 {
            throw wrong(.required, builder, "a non-empty array", value)
        }
        return try names(value, builder, ["required"])
    }

    /// Returns an array of unique strings.
    func names(
        _ value: JSONValue, _ builder: NodeBuilder, _ tokens: [String]
    ) throws(JSONSchemaError) -> [String] {
        guard case .array(let elements) = value else {
            throw registry.schemaError(
                "\(ValueDescription.quoted(tokens[tokens.count - 1])) must be an array of names, got \(ValueDescription.typed(value))",
                at: builder.location, tokens)
        }
        var names: [String] = []
        var seen: Set<ExactText> = []
        for (index, element) in elements.enumerated() {
            guard case .string(let name) = element else {
                throw registry.schemaError(
                    "a property name must be a string, got \(ValueDescription.typed(element))", at: builder.location,
                    tokens + [String(index)])
            }
            guard seen.insert(ExactText(name)).inserted else {
                throw registry.schemaError(
                    "\(ValueDescription.quoted(name)) appears twice", at: builder.location, tokens + [String(index)])
            }
            names.append(name)
        }
        return names
    }

    /// Returns the compiled regular expression for a pattern, reusing earlier ones.
    mutating func expression(
        _ pattern: String, _ builder: NodeBuilder, _ tokens: [String]
    ) throws(JSONSchemaError) -> RegularExpression {
        if let known = patterns[ExactText(pattern)] { return known }
        do throws(RegularExpressionError) {
            let expression = try RegularExpression(pattern, dialect: .ecmaScript)
            patterns[ExactText(pattern)] = expression
            return expression
        } catch {
            throw registry.schemaError(
                "invalid pattern \(ValueDescription.quoted(pattern)): \(error.wording), at character "
                    + "\(error.offset + 1)",
                at: builder.location, tokens)
        }
    }

    /// Reads a keyword for numbers. In draft 4 and OpenAPI 3.0, exclusive bounds are Booleans.
    func readNumberKeyword(
        _ keyword: Keyword, _ value: JSONValue, _ schema: JSONObject, _ builder: inout NodeBuilder
    ) throws(JSONSchemaError) {
        let isFlag =
            (builder.dialect.draft == .draft4 || builder.dialect.draft == .openAPI30)
            && (keyword == .exclusiveMinimum || keyword == .exclusiveMaximum)
        if isFlag {
            let flag = try flag(value, keyword, builder)
            let partner = keyword == .exclusiveMinimum ? "minimum" : "maximum"
            guard schema.contains(partner) else {
                if builder.dialect.draft == .openAPI30 { return }
                throw registry.schemaError(
                    "\"\(keyword.rawValue)\" in draft 4 requires \"\(partner)\", which is missing",
                    at: builder.location, [keyword.rawValue])
            }
            if keyword == .exclusiveMinimum {
                builder.minimumIsExclusive = flag
            } else {
                builder.maximumIsExclusive = flag
            }
            return
        }
        guard case .number(let number) = value else {
            if case .bool = value, keyword == .exclusiveMinimum || keyword == .exclusiveMaximum {
                throw registry.schemaError(
                    "\"\(keyword.rawValue)\" must be a number, the bound itself; only draft 4 uses true and false",
                    at: builder.location, [keyword.rawValue])
            }
            throw wrong(keyword, builder, "a number", value)
        }
        switch keyword {
        case .minimum: builder.minimum = number
        case .maximum: builder.maximum = number
        case .exclusiveMinimum: builder.bounds.append(NumberBound(.moreThan, number, keyword: keyword.rawValue))
        case .exclusiveMaximum: builder.bounds.append(NumberBound(.lessThan, number, keyword: keyword.rawValue))
        default:
            guard 0 < number else { throw wrong(keyword, builder, "a number greater than 0", value) }
            builder.divisor = DecimalDivisor(number)
        }
    }

    /// Reads `format`, if formats are validated. Unknown formats are ignored.
    func readFormat(_ value: JSONValue, _ builder: inout NodeBuilder) throws(JSONSchemaError) {
        let name = try string(value, .format, builder)
        guard options.assertsFormat || builder.dialect.assertsFormat else { return }
        builder.format = Format(rawValue: name)
        if builder.format == .plainHostname { builder.format = nil }
        if builder.format == .hostname, [.draft4, .draft6].contains(builder.dialect.draft) {
            builder.format = .plainHostname
        }
        if options.openAPI == nil {
            if builder.format == .byte { builder.format = nil }
        } else {
            builder.bounds += NumberBound.bounds(ofFormat: name)
        }
    }
}
