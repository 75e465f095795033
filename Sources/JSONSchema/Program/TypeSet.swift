import JSON

/// Types of values as `type` names them.
struct TypeSet: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let null = TypeSet(rawValue: 1 << 0)
    static let boolean = TypeSet(rawValue: 1 << 1)
    /// Numbers without a fractional part, however they are written.
    static let integer = TypeSet(rawValue: 1 << 2)
    /// All numbers.
    static let number = TypeSet(rawValue: 1 << 3)
    static let string = TypeSet(rawValue: 1 << 4)
    static let array = TypeSet(rawValue: 1 << 5)
    static let object = TypeSet(rawValue: 1 << 6)
    /// Integers as draft 4 has them: numbers written without fraction and exponent.
    static let writtenInteger = TypeSet(rawValue: 1 << 7)

    static let all: TypeSet = [.null, .boolean, .integer, .number, .string, .array, .object]

    /// Whether a value has one of the types.
    func admits(_ value: JSONValue) -> Bool {
        withUnsafePointer(to: value) { admits($0) }
    }

    /// Whether a value has one of the types.
    @inline(__always)
    func admits(_ value: UnsafePointer<JSONValue>) -> Bool {
        switch value.pointee {
        case .null: contains(.null)
        case .bool: contains(.boolean)
        case .number(let number): contains(.number) || admitsInteger(number)
        case .string: contains(.string)
        case .array: contains(.array)
        case .object: contains(.object)
        }
    }

    // Kept out of the many places where types are checked.
    @inline(never)
    private func admitsInteger(_ number: JSONNumber) -> Bool {
        if contains(.integer) { return number.isInteger }
        return contains(.writtenInteger) && TypeSet.isWrittenAsInteger(number)
    }

    private static func isWrittenAsInteger(_ number: JSONNumber) -> Bool {
        number.literal.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
    }

    /// The type with a name of JSON Schema.
    static func named(_ name: String, in draft: JSONSchemaDialect) -> TypeSet? {
        switch name {
        case "null": .null
        case "boolean": .boolean
        case "integer": draft == .draft4 ? .writtenInteger : .integer
        case "number": .number
        case "string": .string
        case "array": .array
        case "object": .object
        default: nil
        }
    }

    /// The names, for messages; `null` last, as it is said.
    var names: [String] {
        let all: [(TypeSet, String)] = [
            (.boolean, "boolean"), (.integer, "integer"), (.writtenInteger, "integer"),
            (.number, "number"), (.string, "string"), (.array, "array"), (.object, "object"),
            (.null, "null"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }
}
