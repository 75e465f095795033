import Basics
import JSON
import RegularExpressions

/// The keywords that validate strings.
final class StringKeywords: Sendable {
    /// The minimum length in Unicode scalars.
    let minimumLength: Int
    /// The maximum length in Unicode scalars.
    let maximumLength: Int
    let pattern: RegularExpression?
    let format: Format?

    init(minimumLength: Int, maximumLength: Int, pattern: RegularExpression?, format: Format?) {
        self.minimumLength = minimumLength
        self.maximumLength = maximumLength
        self.pattern = pattern
        self.format = format
    }

    /// Returns whether the length is valid. Counts scalars only if the number of bytes does not decide.
    func hasLength(_ text: String) -> Bool {
        let bytes = text.utf8.count
        if bytes < minimumLength || (bytes + 3) / 4 > maximumLength { return false }
        if bytes <= maximumLength, (bytes + 3) / 4 >= minimumLength { return true }
        let length = StringKeywords.length(of: text)
        return length >= minimumLength && length <= maximumLength
    }

    /// Returns the number of Unicode scalars, which is the number of bytes that are not continuation bytes.
    static func length(of text: String) -> Int {
        let fast = text.utf8.withContiguousStorageIfAvailable { bytes in
            bytes.reduce(into: 0) { count, byte in count += byte & 0xC0 == 0x80 ? 0 : 1 }
        }
        return fast ?? text.unicodeScalars.count
    }
}

/// A set of types as used by `type`.
struct TypeSet: OptionSet, Hashable, Sendable {
    let rawValue: UInt8

    static let null = TypeSet(rawValue: 1 << 0)
    static let boolean = TypeSet(rawValue: 1 << 1)
    /// Numbers without a fractional part, regardless of their notation.
    static let integer = TypeSet(rawValue: 1 << 2)
    /// All numbers.
    static let number = TypeSet(rawValue: 1 << 3)
    static let string = TypeSet(rawValue: 1 << 4)
    static let array = TypeSet(rawValue: 1 << 5)
    static let object = TypeSet(rawValue: 1 << 6)
    /// Integers as defined by draft 4: numbers written without a fraction and an exponent.
    static let writtenInteger = TypeSet(rawValue: 1 << 7)

    static let all: TypeSet = [.null, .boolean, .integer, .number, .string, .array, .object]

    /// Returns whether a value has one of the types.
    func admits(_ value: JSONValue) -> Bool {
        withUnsafePointer(to: value) { admits($0) }
    }

    /// Returns whether a value has one of the types.
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

    // This is not inlined, to keep the many type checks small.
    @inline(never)
    private func admitsInteger(_ number: JSONNumber) -> Bool {
        if contains(.integer) { return number.isInteger }
        return contains(.writtenInteger) && TypeSet.isWrittenAsInteger(number)
    }

    private static func isWrittenAsInteger(_ number: JSONNumber) -> Bool {
        number.literal.utf8.allSatisfy { ASCII.isDigit($0) || $0 == UInt8(ascii: "-") }
    }

    /// Returns the type with a JSON Schema name.
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

    /// The names for messages, with `null` last.
    var names: [String] {
        let all: [(TypeSet, String)] = [
            (.boolean, "boolean"), (.integer, "integer"), (.writtenInteger, "integer"),
            (.number, "number"), (.string, "string"), (.array, "array"), (.object, "object"),
            (.null, "null"),
        ]
        return all.filter { contains($0.0) }.map(\.1)
    }

    /// The names as words of a message.
    var words: [MessageText] { names.map(MessageText.init(words:)) }
}

/// The values of an `enum` or `const`.
final class ValueSet: Sendable {
    /// The keyword, for messages.
    let keyword: Keyword
    /// All values as written.
    let values: [JSONValue]
    /// The strings among the values.
    private let strings: PropertyTable
    /// The other values, if they are few.
    private let others: [JSONValue]
    /// The other values, if they are many.
    private let otherSet: Set<JSONValue>
    /// The types of the other values. A value of a different type does not need hashing.
    private let otherTypes: TypeSet

    /// The maximum number of values for which linear search is faster than hashing.
    private static let maximumList = 8

    init(_ values: [JSONValue], keyword: Keyword) {
        self.values = values
        self.keyword = keyword
        var seen: Set<ExactText> = []
        let texts = values.compactMap(\.stringValue).filter { seen.insert(ExactText($0)).inserted }
        strings = PropertyTable(texts.map { ($0, -1, false) })
        let others = values.filter { $0.stringValue == nil }
        let isList = others.count <= ValueSet.maximumList
        self.others = isList ? others : []
        otherSet = isList ? [] : Set(others)
        var types: TypeSet = []
        for value in others { types.formUnion(ValueSet.type(of: value)) }
        otherTypes = types
    }

    /// Returns whether the set contains a value.
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
