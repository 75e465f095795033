import Basics
import FoundationEssentials

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#elseif canImport(Darwin)
import Darwin
#endif

/// Encodes values into nodes.
final class FormTreeEncoder: Encoder {
    let node: FormNode
    let options: QueryEncoder
    let codingPath: [any CodingKey]
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    init(_ node: FormNode, _ options: QueryEncoder, _ codingPath: [any CodingKey]) {
        self.node = node
        self.options = options
        self.codingPath = codingPath
    }

    /// Encodes the outermost value.
    func encodeRoot(_ value: some Encodable) throws {
        try Self.encode(value, into: node, options, codingPath)
    }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(FormKeyedContainer(node, options, codingPath))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        FormUnkeyedContainer(node, options, codingPath)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        FormSingleValueContainer(node, options, codingPath)
    }

    /// Encodes a value into a node; those that a query has forms for do not encode themselves.
    static func encode<Value: Encodable>(
        _ value: Value, into node: FormNode, _ options: QueryEncoder, _ codingPath: [any CodingKey]
    ) throws {
        switch value {
        case let date as Date:
            if let text = try options.dates.text(date) {
                node.content = .text(text)
                return
            }
        case let data as Data:
            if let text = try options.data.text(Array(data)) {
                node.content = .text(text)
                return
            }
        case let decimal as Decimal:
            // Its own form is a record of mantissa and exponent.
            node.content = .text(decimal.description)
            return
        case let value as ParameterValue:
            try node.take(FormNode(value, options))
            return
        case let parameters as Parameters:
            try node.take(FormNode(.dictionary(parameters), options))
            return
        case is any ValuesWithoutOrder:
            node.isUnordered = true
        default: break
        }
        try value.encode(to: FormTreeEncoder(node, options, codingPath))
    }
}

/// A collection whose values come in an order that means nothing.
private protocol ValuesWithoutOrder {}
extension Set: ValuesWithoutOrder {}
extension Dictionary: ValuesWithoutOrder {}

extension FormNode {
    /// Takes over what another node holds.
    fileprivate func take(_ other: FormNode) {
        content = other.content
        isUnordered = other.isUnordered
    }
}

/// Encodes values by name into a node.
struct FormKeyedContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    private let node: FormNode
    private let options: QueryEncoder
    let codingPath: [any CodingKey]

    init(_ node: FormNode, _ options: QueryEncoder, _ codingPath: [any CodingKey]) {
        self.node = node
        self.options = options
        self.codingPath = codingPath
        node.holdMembers()
    }

    mutating func encodeNil(forKey key: Key) throws {
        node.member(key.stringValue).content = options.nils.content
    }

    mutating func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try FormTreeEncoder.encode(value, into: node.member(key.stringValue), options, codingPath + [key])
    }

    // The defaults for these two refuse them.

    mutating func encode(_ value: Int128, forKey key: Key) throws {
        node.member(key.stringValue).content = .text(String(value))
    }

    mutating func encode(_ value: UInt128, forKey key: Key) throws {
        node.member(key.stringValue).content = .text(String(value))
    }

    // A missing value is a nil value: what to write of it is the encoder's choice and not the type's.

    private mutating func encodePresent(_ value: (some Encodable)?, _ key: Key) throws {
        guard let value else { return try encodeNil(forKey: key) }
        try encode(value, forKey: key)
    }

    mutating func encodeIfPresent<Value: Encodable>(_ value: Value?, forKey key: Key) throws {
        try encodePresent(value, key)
    }

    mutating func encodeIfPresent(_ value: Bool?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: String?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Double?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Float?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Int?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Int8?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Int16?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Int32?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Int64?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt8?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt16?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt32?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt64?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: Int128?, forKey key: Key) throws { try encodePresent(value, key) }
    mutating func encodeIfPresent(_ value: UInt128?, forKey key: Key) throws { try encodePresent(value, key) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type, forKey key: Key
    ) -> KeyedEncodingContainer<NestedKey> {
        KeyedEncodingContainer(
            FormKeyedContainer<NestedKey>(node.member(key.stringValue), options, codingPath + [key]))
    }

    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        FormUnkeyedContainer(node.member(key.stringValue), options, codingPath + [key])
    }

    /// An encoder of the superclass's values, which are written beside the subclass's.
    mutating func superEncoder() -> any Encoder {
        FormTreeEncoder(node, options, codingPath)
    }

    mutating func superEncoder(forKey key: Key) -> any Encoder {
        FormTreeEncoder(node.member(key.stringValue), options, codingPath + [key])
    }
}

/// Encodes values into a node's list.
struct FormUnkeyedContainer: UnkeyedEncodingContainer {
    private let node: FormNode
    private let options: QueryEncoder
    let codingPath: [any CodingKey]

    init(_ node: FormNode, _ options: QueryEncoder, _ codingPath: [any CodingKey]) {
        self.node = node
        self.options = options
        self.codingPath = codingPath
        node.offerList()
    }

    var count: Int { node.count }

    private var nextPath: [any CodingKey] { codingPath + [ParameterKey(index: node.count)] }

    mutating func encodeNil() throws {
        node.element().content = options.nils.content
    }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        let path = nextPath
        try FormTreeEncoder.encode(value, into: node.element(), options, path)
    }

    // The defaults for these two refuse them.

    mutating func encode(_ value: Int128) throws { node.element().content = .text(String(value)) }
    mutating func encode(_ value: UInt128) throws { node.element().content = .text(String(value)) }

    mutating func nestedContainer<NestedKey: CodingKey>(
        keyedBy keyType: NestedKey.Type
    ) -> KeyedEncodingContainer<NestedKey> {
        let path = nextPath
        return KeyedEncodingContainer(FormKeyedContainer<NestedKey>(node.element(), options, path))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        let path = nextPath
        return FormUnkeyedContainer(node.element(), options, path)
    }

    mutating func superEncoder() -> any Encoder {
        // Values that have names already are not replaced by a list that has none yet.
        if case .members = node.content { return FormTreeEncoder(node, options, codingPath) }
        let path = nextPath
        return FormTreeEncoder(node.element(), options, path)
    }
}

/// Encodes one value into a node.
struct FormSingleValueContainer: SingleValueEncodingContainer {
    private let node: FormNode
    private let options: QueryEncoder
    let codingPath: [any CodingKey]

    init(_ node: FormNode, _ options: QueryEncoder, _ codingPath: [any CodingKey]) {
        self.node = node
        self.options = options
        self.codingPath = codingPath
    }

    mutating func encodeNil() throws { node.content = options.nils.content }
    mutating func encode(_ value: Bool) throws { node.content = .text(options.bools.text(value)) }
    mutating func encode(_ value: String) throws { node.content = .text(value) }
    mutating func encode(_ value: Double) throws { node.content = .text(options.numbers.text(value)) }
    mutating func encode(_ value: Float) throws { node.content = .text(options.numbers.text(value)) }
    mutating func encode(_ value: Int) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: Int8) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: Int16) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: Int32) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: Int64) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: UInt) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: UInt8) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: UInt16) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: UInt32) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: UInt64) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: Int128) throws { node.content = .text(String(value)) }
    mutating func encode(_ value: UInt128) throws { node.content = .text(String(value)) }

    mutating func encode<Value: Encodable>(_ value: Value) throws {
        try FormTreeEncoder.encode(value, into: node, options, codingPath)
    }
}

/// The texts that Objective-C's Foundation gives as the description of values, which AFNetworking sends.
enum FoundationDescription {
    /// A number as `NSNumber` writes it: at most `digits` significant digits, as C's `%g`.
    static func text(_ value: Double, digits: Int) -> String {
        if value.isNaN { return "nan" }
        if value.isInfinite { return value < 0 ? "-inf" : "inf" }
        var buffer = [CChar](repeating: 0, count: 64)
        let count = withVaList([Int32(clamping: digits), value]) { arguments in
            vsnprintf(&buffer, buffer.count, "%.*g", arguments)
        }
        let length = max(0, min(Int(count), buffer.count - 1))
        return String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Bytes as `NSData` describes them: all up to 24, else the first 16 and the last 8.
    static func text(_ bytes: [UInt8]) -> String {
        var text = "{length = " + String(bytes.count) + ", bytes = 0x"
        if bytes.count <= 24 {
            return text + Hexadecimal.encode(bytes) + "}"
        }
        append(groups: bytes.prefix(16), to: &text)
        text += "... "
        append(groups: bytes.suffix(8), to: &text)
        return text + "}"
    }

    private static func append(groups bytes: ArraySlice<UInt8>, to text: inout String) {
        for (index, byte) in bytes.enumerated() {
            text += Hexadecimal.encode([byte])
            if index % 4 == 3 { text += " " }
        }
    }
}
