import Basics
import JSON
import RegularExpressions

/// The keywords that check strings.
final class StringKeywords: Sendable {
    /// The least and the most Unicode scalars.
    let minimumLength: Int
    let maximumLength: Int
    let pattern: RegularExpression?
    let format: Format?

    init(minimumLength: Int, maximumLength: Int, pattern: RegularExpression?, format: Format?) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.pattern = pattern
        self.format = format
    }

    /// Counts only where the number of bytes leaves it open.
    func hasLength(_ text: String) -> Bool {
        let bytes = text.utf8.count
        if bytes < minimumLength || (bytes + 3) / 4 > maximumLength { return false }
        if bytes <= maximumLength, (bytes + 3) / 4 >= minimumLength { return true }
        let length = StringKeywords.length(of: text)
        return length >= minimumLength && length <= maximumLength
    }

    /// The number of Unicode scalars: of bytes that are no continuation of one.
    static func length(of text: String) -> Int {
        let fast = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.reduce(into: 0) { count, byte in count += byte & 0xC0 == 0x80 ? 0 : 1 }
        }
        return fast ?? text.unicodeScalars.count
    }
}

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

/// The values of an `enum` or `const`.
final class ValueSet: Sendable {
    /// The keyword, for messages.
    let keyword: Keyword
    /// All values as they were written.
    let values: [JSONValue]
    /// The strings among them.
    private let strings: PropertyTable
    /// The others, while they are few.
    private let others: [JSONValue]
    /// The others, when they are many.
    private let otherSet: Set<JSONValue>
    /// The types of the others: a value of another type need not be hashed.
    private let otherTypes: TypeSet

    /// Up to this many values comparing one by one is faster than hashing.
    private static let largestList = 8

    init(_ values: [JSONValue], keyword: Keyword) {
        self.values = values
        self.keyword = keyword
        var seen: Set<ExactText> = []
        let texts = values.compactMap(\.stringValue).filter { seen.insert(ExactText($0)).inserted }
        strings = PropertyTable(texts.map { ($0, -1, false) })
        let others = values.filter { $0.stringValue == nil }
        let isList = others.count <= ValueSet.largestList
        self.others = isList ? others : []
        otherSet = isList ? [] : Set(others)
        var types: TypeSet = []
        for value in others { types.formUnion(ValueSet.type(of: value)) }
        otherTypes = types
    }

    /// Whether a value is one of them.
    func contains(_ value: JSONValue) -> Bool {
        if case .string(let text) = value {
            var expected = 0
            return strings.index(of: text, expected: &expected) >= 0
        }
        guard otherTypes.contains(ValueSet.type(of: value)) else { return false }
        if otherSet.isEmpty {
            for other in others where other == value { return true }
            return false
        }
        return otherSet.contains(value)
    }

    private static func type(of value: JSONValue) -> TypeSet {
        switch value {
        case .null: .null
        case .bool: .boolean
        case .number: .number
        case .string: .string
        case .array: .array
        case .object: .object
        }
    }
}
